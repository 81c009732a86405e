/** How a node is called: a host name's label with a letter in it (a number alone is read as an id). */
export const NODE_NAME_PATTERN = /^(?=[a-z0-9-]*[a-z])[a-z0-9][a-z0-9-]{0,62}$/;

/** Seconds without a heartbeat, by database time, after which a node is offline. */
export const NODE_OFFLINE_AFTER_SECONDS = 45;

export const nodeStates = ['new', 'active', 'cordoned', 'offline'] as const;
/** What a node is for whoever places accounts: it never connected, takes accounts, takes none, or is silent. */
export type NodeState = (typeof nodeStates)[number];
