/** Names of databases and of their users: at most 32 characters, MySQL's limit for users. */
export const DATABASE_NAME_PATTERN = /^[a-z_][a-z0-9_-]{2,31}$/;
/** Addresses from which one database may be used. */
export const ALLOWED_IPS_PER_DATABASE = 50;
/** From an alphabet that needs no escape in SQL, shells, URLs and configuration files. */
export const DATABASE_PASSWORD_PATTERN = /^[A-Za-z0-9]{16,64}$/;
