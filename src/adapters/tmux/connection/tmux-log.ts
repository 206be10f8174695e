export type TmuxLog = (message: string, details: Readonly<Record<string, string | number | boolean>>) => void;
