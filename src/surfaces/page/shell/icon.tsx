const PATHS = {
  agents: 'M4 5h16v11H4zM9 20h6M12 16v4M8 9l2.5 2L8 13M13 13h3',
  inbox: 'M4 13 6.5 5h11L20 13v6H4zM4 13h5l1 2.5h4l1-2.5h5',
  handoffs: 'M5 18 18 7M5 8h3M16 17h3M13 6l6-.5-.5 6',
  packages: 'M4 8.5 12 4l8 4.5v7L12 20l-8-4.5zM4 8.5l8 4.5 8-4.5M12 13v7',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM16 16l4.5 4.5',
  personas: 'M12 12a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM5 20c.6-3.6 3.4-5.5 7-5.5s6.4 1.9 7 5.5',
  worktrees: 'M7 4v9M7 13a4 4 0 0 0 4 4h2M7 4a1.5 1.5 0 1 0 0 .1M17 17a2 2 0 1 0-4 0 2 2 0 0 0 4 0ZM7 13v7',
  machines: 'M4 4h16v7H4zM4 13h16v7H4zM8 7.5h.01M8 16.5h.01M12 7.5h4M12 16.5h4',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  activity: 'M3 12h4l2.5-7 4 14 3-9 1.5 2h3',
  usage: 'M5 20V10M12 20V4M19 20v-7M3 20h18',
  settings: 'M5 7h9M18 7h1M5 17h2M11 17h8M16 4.5v5M9 14.5v5',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg
    aria-hidden="true"
    viewBox="0 0 24 24"
    className="size-5 shrink-0"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.7"
    strokeLinecap="round"
    strokeLinejoin="round"
  >
    <path d={PATHS[name]} />
  </svg>
);
