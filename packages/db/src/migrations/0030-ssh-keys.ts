import { type Kysely, sql } from 'kysely';

/** Public keys that may log in to an account. `fingerprint`: SHA-256 of the key, as OpenSSH shows it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table if not exists ssh_keys (
        id bigint not null auto_increment primary key,
        account_id bigint not null,
        name varchar(64) not null,
        public_key varchar(3000) character set ascii collate ascii_bin not null,
        fingerprint varchar(64) character set ascii collate ascii_bin not null,
        created_at datetime(6) not null,
        unique key ssh_keys_fingerprint (account_id, fingerprint),
        constraint ssh_keys_account_id foreign key (account_id) references accounts (id)
      ) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin`,
    )
    .execute(db);
}
