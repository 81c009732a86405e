/** What the control plane wants of an account. `terminating` ends with the rows gone. */
export const accountStates = ['active', 'suspended', 'terminating'] as const;
export type AccountState = (typeof accountStates)[number];
