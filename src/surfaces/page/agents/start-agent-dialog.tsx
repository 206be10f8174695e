export const StartAgentDialog = (_: { readonly personaSlug?: string; readonly onClose: () => void }) => null;
