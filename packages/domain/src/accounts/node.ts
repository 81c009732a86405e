/** Name of a node: one label of a host name with at least one letter (a number alone is read as an id). */
export const NODE_NAME_PATTERN = /^(?=[a-z0-9-]*[a-z])[a-z0-9][a-z0-9-]{0,62}$/;

/** Seconds without a heartbeat, by database time, after which a node is offline. */
export const NODE_OFFLINE_AFTER_SECONDS = 45;

export const nodeStates = ['new', 'active', 'cordoned', 'offline'] as const;
/** State of a node for placement: never connected, accepts accounts, does not accept accounts, or offline. */
export type NodeState = (typeof nodeStates)[number];
