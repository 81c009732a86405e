// Made from proto/innkeeper/node/v1/node.proto by scripts/generate-protocol.ts; not to be edited.

export const packageName = 'innkeeper.node.v1';

export interface NodeService {
  Enroll: { request: EnrollRequest; response: NodeIdentity };
  RenewCertificate: { request: RenewCertificateRequest; response: NodeIdentity };
  Hello: { request: HelloRequest; response: HelloResponse };
  Heartbeat: { request: HeartbeatRequest; response: HeartbeatResponse };
  PullAccounts: { request: PullAccountsRequest; response: PullAccountsResponse };
  ReportAccount: { request: ReportAccountRequest; response: ReportAccountResponse };
  ReportUsage: { request: ReportUsageRequest; response: ReportUsageResponse };
  FetchArchive: { request: FetchArchiveRequest; chunk: ArchiveChunk };
  OpenChannel: { frame: ChannelFrame };
}

export interface EnrollRequest {
  join_token: string;
  csr_pem: string;
  nats_public_key: string;
}

export interface RenewCertificateRequest {
  csr_pem: string;
  nats_public_key: string;
}

export interface NodeIdentity {
  node_id: string;
  node_name: string;
  certificate_pem: string;
  ca_pem: string;
  nats_jwt: string;
  nats_url: string;
}

export interface HelloRequest {
  session_id: string;
  agent_version: string;
  hostname: string;
  cpu_count: number;
  memory_bytes: string;
  disk_bytes: string;
  disk_quota: string;
  io_limits: boolean;
  reserved_usernames: string[];
  ledger_incomplete: boolean;
  node_versions: string[];
  php_version: string;
  time_zone: string;
  ssh_fingerprint: string;
  ftp_fingerprint: string;
}

export interface HelloResponse {
  heartbeat_interval_ms: number;
  poll_interval_ms: number;
}

export interface HeartbeatRequest {
  session_id: string;
  accounts: number;
  accounts_failed: number;
  warnings: string[];
  figures: Record<string, number>;
  settings_generation: string;
  settings_problem: string;
}

export type HeartbeatResponse = Record<string, never>;

export interface PullAccountsRequest {
  session_id: string;
  after_account_id: string;
  limit: number;
  settings_generation: string;
}

export interface PullAccountsResponse {
  accounts: AccountSpec[];
  has_more: boolean;
  settings: NodeSettings | null;
}

export interface NodeSettings {
  generation: string;
  mail_relay: MailRelay | null;
}

export interface MailRelay {
  host: string;
  port: number;
  encryption: string;
  username: string;
  password: string;
  sender_domain: string;
}

export interface AccountSpec {
  account_id: string;
  generation: string;
  desired_state: string;
  linux_user: string;
  uid: number;
  terminal_access: boolean;
  password_hash: string;
  limits: Limits | null;
  domains: DomainSpec[];
  databases: DatabaseSpec[];
  cron_jobs: CronJobSpec[];
  apps: AppSpec[];
  creation_id: string;
  smtp_port_25: boolean;
  ssh_keys: string[];
  ftp_logins: FtpLoginSpec[];
  mail: MailSpec | null;
}

export interface MailSpec {
  per_hour: number;
  per_day: number;
}

export interface Limits {
  disk_mb: number;
  bandwidth_mb: number;
  cpu_percent: number;
  ram_mb: number;
  io_read_mbps?: number;
  io_write_mbps?: number;
  iops?: number;
  max_processes?: number;
}

export interface DomainSpec {
  domain_id: string;
  name: string;
  is_primary: boolean;
  desired_state: string;
  certificate_revision: number;
  site: SiteSettings | null;
  alias_of: string;
}

export interface SiteSettings {
  keeps_http: boolean;
  redirect: SiteRedirect | null;
  document_root: string;
  password: SitePassword | null;
  php: PhpSettings | null;
}

export interface PhpSettings {
  memory_limit_mb: number;
  upload_mb: number;
  execution_s: number;
  input_vars: number;
  display_errors: boolean;
  time_zone: string;
  cache_revision: number;
}

export interface SiteRedirect {
  url: string;
  status: number;
  keeps_path: boolean;
}

export interface SitePassword {
  folder: string;
  user: string;
  hash: string;
}

export interface DatabaseSpec {
  database_id: string;
  db_name: string;
  password: string;
  password_revision: number;
  allowed_ips: string[];
  desired_state: string;
}

export interface CronJobSpec {
  cron_job_id: string;
  schedule: string;
  command: string;
  enabled: boolean;
}

export interface FtpLoginSpec {
  name: string;
  folder: string;
  password_hash: string;
  public_keys: string[];
}

export interface AppSpec {
  app_id: string;
  template_key: string;
  runtime: string;
  installer: string;
  desired_state: string;
  domain_id: string;
  database_id: string;
  node_version: string;
  start_command: string;
  env: EnvVar[];
  release: ReleaseSpec | null;
  retries: number;
}

export interface EnvVar {
  name: string;
  value: string;
  is_secret: boolean;
}

export interface ReleaseSpec {
  release_id: string;
  source: string;
  archive_sha256: string;
  archive_bytes: string;
  git_repository: string;
  git_branch: string;
  git_deploy_key: string;
}

export interface FetchArchiveRequest {
  session_id: string;
  account_id: string;
  release_id: string;
}

export interface ArchiveChunk {
  data: Uint8Array;
}

export interface ChannelFrame {
  opening: ChannelOpening | null;
  data: Uint8Array;
  columns: number;
  rows: number;
  end: boolean;
}

export interface ChannelOpening {
  session_id: string;
  channel_id: string;
  secret: string;
}

export interface ReportAccountRequest {
  session_id: string;
  account_id: string;
  observed_generation: string;
  outcome: string;
  conditions: Condition[];
  domains: DomainStatus[];
  driver_ms: Record<string, number>;
  databases: DatabaseStatus[];
  apps: AppStatus[];
  next_pass_at: string;
}

export interface Condition {
  type: string;
  reason: string;
  message: string;
}

export interface DomainStatus {
  domain_id: string;
  status: string;
  reason: string;
  certificate: CertificateStatus | null;
}

export interface CertificateStatus {
  status: string;
  revision: number;
  issuer: string;
  expires_at: string;
  error: string;
  next_attempt_at: string;
}

export interface DatabaseStatus {
  database_id: string;
  status: string;
  reason: string;
}

export interface AppStatus {
  app_id: string;
  status: string;
  reason: string;
  release_id: string;
  commit: CommitStatus | null;
}

export interface CommitStatus {
  release_id: string;
  hash: string;
  author: string;
  subject: string;
}

export type ReportAccountResponse = Record<string, never>;

export interface ReportUsageRequest {
  session_id: string;
  interval_start: string;
  part: number;
  server: ServerUsage | null;
  accounts: AccountUsage[];
  sites: SiteUsage[];
  mail: AccountMail[];
}

export interface AccountMail {
  account_id: string;
  hour: number;
  hour_sent: number;
  hour_refused: number;
  day: number;
  day_sent: number;
  day_refused: number;
  queued: number;
}

export interface ServerUsage {
  cpu_busy_ms: string;
  cpu_total_ms: string;
  memory_mb: number;
  memory_total_mb: number;
  disk_mb: number;
  disk_total_mb: number;
  load_percent: number;
  sent_bytes: string;
  requests: number;
  errors: number;
  accounts: number;
  running_accounts: number;
}

export interface AccountUsage {
  account_id: string;
  cpu_ms: string;
  memory_mb: number;
  disk_mb?: number;
  sent_bytes: string;
  requests: number;
  errors: number;
}

export interface SiteUsage {
  domain_id: string;
  sent_bytes: string;
  requests: number;
  errors: number;
}

export type ReportUsageResponse = Record<string, never>;

export const descriptor: object = {
  "nested": {
    "innkeeper": {
      "nested": {
        "node": {
          "nested": {
            "v1": {
              "nested": {
                "NodeService": {
                  "methods": {
                    "Enroll": {
                      "requestType": "EnrollRequest",
                      "responseType": "NodeIdentity"
                    },
                    "RenewCertificate": {
                      "requestType": "RenewCertificateRequest",
                      "responseType": "NodeIdentity"
                    },
                    "Hello": {
                      "requestType": "HelloRequest",
                      "responseType": "HelloResponse"
                    },
                    "Heartbeat": {
                      "requestType": "HeartbeatRequest",
                      "responseType": "HeartbeatResponse"
                    },
                    "PullAccounts": {
                      "requestType": "PullAccountsRequest",
                      "responseType": "PullAccountsResponse"
                    },
                    "ReportAccount": {
                      "requestType": "ReportAccountRequest",
                      "responseType": "ReportAccountResponse"
                    },
                    "ReportUsage": {
                      "requestType": "ReportUsageRequest",
                      "responseType": "ReportUsageResponse"
                    },
                    "FetchArchive": {
                      "requestType": "FetchArchiveRequest",
                      "responseType": "ArchiveChunk",
                      "responseStream": true
                    },
                    "OpenChannel": {
                      "requestType": "ChannelFrame",
                      "requestStream": true,
                      "responseType": "ChannelFrame",
                      "responseStream": true
                    }
                  }
                },
                "EnrollRequest": {
                  "fields": {
                    "join_token": {
                      "type": "string",
                      "id": 1
                    },
                    "csr_pem": {
                      "type": "string",
                      "id": 2
                    },
                    "nats_public_key": {
                      "type": "string",
                      "id": 3
                    }
                  }
                },
                "RenewCertificateRequest": {
                  "fields": {
                    "csr_pem": {
                      "type": "string",
                      "id": 1
                    },
                    "nats_public_key": {
                      "type": "string",
                      "id": 2
                    }
                  }
                },
                "NodeIdentity": {
                  "fields": {
                    "node_id": {
                      "type": "uint64",
                      "id": 1
                    },
                    "node_name": {
                      "type": "string",
                      "id": 2
                    },
                    "certificate_pem": {
                      "type": "string",
                      "id": 3
                    },
                    "ca_pem": {
                      "type": "string",
                      "id": 4
                    },
                    "nats_jwt": {
                      "type": "string",
                      "id": 5
                    },
                    "nats_url": {
                      "type": "string",
                      "id": 6
                    }
                  }
                },
                "HelloRequest": {
                  "fields": {
                    "session_id": {
                      "type": "string",
                      "id": 1
                    },
                    "agent_version": {
                      "type": "string",
                      "id": 2
                    },
                    "hostname": {
                      "type": "string",
                      "id": 3
                    },
                    "cpu_count": {
                      "type": "uint32",
                      "id": 4
                    },
                    "memory_bytes": {
                      "type": "uint64",
                      "id": 5
                    },
                    "disk_bytes": {
                      "type": "uint64",
                      "id": 6
                    },
                    "disk_quota": {
                      "type": "string",
                      "id": 7
                    },
                    "io_limits": {
                      "type": "bool",
                      "id": 8
                    },
                    "reserved_usernames": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 9
                    },
                    "ledger_incomplete": {
                      "type": "bool",
                      "id": 10
                    },
                    "node_versions": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 11
                    },
                    "php_version": {
                      "type": "string",
                      "id": 12
                    },
                    "time_zone": {
                      "type": "string",
                      "id": 13
                    },
                    "ssh_fingerprint": {
                      "type": "string",
                      "id": 16
                    },
                    "ftp_fingerprint": {
                      "type": "string",
                      "id": 17
                    }
                  }
                },
                "HelloResponse": {
                  "fields": {
                    "heartbeat_interval_ms": {
                      "type": "uint32",
                      "id": 1
                    },
                    "poll_interval_ms": {
                      "type": "uint32",
                      "id": 2
                    }
                  }
                },
                "HeartbeatRequest": {
                  "fields": {
                    "session_id": {
                      "type": "string",
                      "id": 1
                    },
                    "accounts": {
                      "type": "uint32",
                      "id": 2
                    },
                    "accounts_failed": {
                      "type": "uint32",
                      "id": 3
                    },
                    "warnings": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 4
                    },
                    "figures": {
                      "keyType": "string",
                      "type": "double",
                      "id": 5
                    },
                    "settings_generation": {
                      "type": "uint64",
                      "id": 6
                    },
                    "settings_problem": {
                      "type": "string",
                      "id": 7
                    }
                  }
                },
                "HeartbeatResponse": {
                  "fields": {}
                },
                "PullAccountsRequest": {
                  "fields": {
                    "session_id": {
                      "type": "string",
                      "id": 1
                    },
                    "after_account_id": {
                      "type": "uint64",
                      "id": 2
                    },
                    "limit": {
                      "type": "uint32",
                      "id": 3
                    },
                    "settings_generation": {
                      "type": "uint64",
                      "id": 4
                    }
                  }
                },
                "PullAccountsResponse": {
                  "fields": {
                    "accounts": {
                      "rule": "repeated",
                      "type": "AccountSpec",
                      "id": 1
                    },
                    "has_more": {
                      "type": "bool",
                      "id": 2
                    },
                    "settings": {
                      "type": "NodeSettings",
                      "id": 3
                    }
                  }
                },
                "NodeSettings": {
                  "fields": {
                    "generation": {
                      "type": "uint64",
                      "id": 1
                    },
                    "mail_relay": {
                      "type": "MailRelay",
                      "id": 2
                    }
                  }
                },
                "MailRelay": {
                  "fields": {
                    "host": {
                      "type": "string",
                      "id": 1
                    },
                    "port": {
                      "type": "uint32",
                      "id": 2
                    },
                    "encryption": {
                      "type": "string",
                      "id": 3
                    },
                    "username": {
                      "type": "string",
                      "id": 4
                    },
                    "password": {
                      "type": "string",
                      "id": 5
                    },
                    "sender_domain": {
                      "type": "string",
                      "id": 6
                    }
                  }
                },
                "AccountSpec": {
                  "fields": {
                    "account_id": {
                      "type": "uint64",
                      "id": 1
                    },
                    "generation": {
                      "type": "uint64",
                      "id": 2
                    },
                    "desired_state": {
                      "type": "string",
                      "id": 3
                    },
                    "linux_user": {
                      "type": "string",
                      "id": 4
                    },
                    "uid": {
                      "type": "uint32",
                      "id": 5
                    },
                    "terminal_access": {
                      "type": "bool",
                      "id": 6
                    },
                    "password_hash": {
                      "type": "string",
                      "id": 7
                    },
                    "limits": {
                      "type": "Limits",
                      "id": 8
                    },
                    "domains": {
                      "rule": "repeated",
                      "type": "DomainSpec",
                      "id": 9
                    },
                    "databases": {
                      "rule": "repeated",
                      "type": "DatabaseSpec",
                      "id": 10
                    },
                    "cron_jobs": {
                      "rule": "repeated",
                      "type": "CronJobSpec",
                      "id": 11
                    },
                    "apps": {
                      "rule": "repeated",
                      "type": "AppSpec",
                      "id": 12
                    },
                    "creation_id": {
                      "type": "string",
                      "id": 13
                    },
                    "smtp_port_25": {
                      "type": "bool",
                      "id": 14
                    },
                    "ssh_keys": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 15
                    },
                    "ftp_logins": {
                      "rule": "repeated",
                      "type": "FtpLoginSpec",
                      "id": 16
                    },
                    "mail": {
                      "type": "MailSpec",
                      "id": 17
                    }
                  }
                },
                "MailSpec": {
                  "fields": {
                    "per_hour": {
                      "type": "uint32",
                      "id": 1
                    },
                    "per_day": {
                      "type": "uint32",
                      "id": 2
                    }
                  }
                },
                "Limits": {
                  "oneofs": {
                    "_io_read_mbps": {
                      "oneof": [
                        "io_read_mbps"
                      ]
                    },
                    "_io_write_mbps": {
                      "oneof": [
                        "io_write_mbps"
                      ]
                    },
                    "_iops": {
                      "oneof": [
                        "iops"
                      ]
                    },
                    "_max_processes": {
                      "oneof": [
                        "max_processes"
                      ]
                    }
                  },
                  "fields": {
                    "disk_mb": {
                      "type": "uint32",
                      "id": 1
                    },
                    "bandwidth_mb": {
                      "type": "uint32",
                      "id": 2
                    },
                    "cpu_percent": {
                      "type": "uint32",
                      "id": 3
                    },
                    "ram_mb": {
                      "type": "uint32",
                      "id": 4
                    },
                    "io_read_mbps": {
                      "type": "uint32",
                      "id": 5,
                      "options": {
                        "proto3_optional": true
                      }
                    },
                    "io_write_mbps": {
                      "type": "uint32",
                      "id": 6,
                      "options": {
                        "proto3_optional": true
                      }
                    },
                    "iops": {
                      "type": "uint32",
                      "id": 7,
                      "options": {
                        "proto3_optional": true
                      }
                    },
                    "max_processes": {
                      "type": "uint32",
                      "id": 8,
                      "options": {
                        "proto3_optional": true
                      }
                    }
                  }
                },
                "DomainSpec": {
                  "fields": {
                    "domain_id": {
                      "type": "uint64",
                      "id": 1
                    },
                    "name": {
                      "type": "string",
                      "id": 2
                    },
                    "is_primary": {
                      "type": "bool",
                      "id": 3
                    },
                    "desired_state": {
                      "type": "string",
                      "id": 4
                    },
                    "certificate_revision": {
                      "type": "uint32",
                      "id": 5
                    },
                    "site": {
                      "type": "SiteSettings",
                      "id": 7
                    },
                    "alias_of": {
                      "type": "uint64",
                      "id": 8
                    }
                  },
                  "reserved": [
                    [
                      6,
                      6
                    ],
                    "certificate_email"
                  ]
                },
                "SiteSettings": {
                  "fields": {
                    "keeps_http": {
                      "type": "bool",
                      "id": 1
                    },
                    "redirect": {
                      "type": "SiteRedirect",
                      "id": 2
                    },
                    "document_root": {
                      "type": "string",
                      "id": 3
                    },
                    "password": {
                      "type": "SitePassword",
                      "id": 4
                    },
                    "php": {
                      "type": "PhpSettings",
                      "id": 5
                    }
                  }
                },
                "PhpSettings": {
                  "fields": {
                    "memory_limit_mb": {
                      "type": "uint32",
                      "id": 1
                    },
                    "upload_mb": {
                      "type": "uint32",
                      "id": 2
                    },
                    "execution_s": {
                      "type": "uint32",
                      "id": 3
                    },
                    "input_vars": {
                      "type": "uint32",
                      "id": 4
                    },
                    "display_errors": {
                      "type": "bool",
                      "id": 5
                    },
                    "time_zone": {
                      "type": "string",
                      "id": 6
                    },
                    "cache_revision": {
                      "type": "uint32",
                      "id": 7
                    }
                  }
                },
                "SiteRedirect": {
                  "fields": {
                    "url": {
                      "type": "string",
                      "id": 1
                    },
                    "status": {
                      "type": "uint32",
                      "id": 2
                    },
                    "keeps_path": {
                      "type": "bool",
                      "id": 3
                    }
                  }
                },
                "SitePassword": {
                  "fields": {
                    "folder": {
                      "type": "string",
                      "id": 1
                    },
                    "user": {
                      "type": "string",
                      "id": 2
                    },
                    "hash": {
                      "type": "string",
                      "id": 3
                    }
                  }
                },
                "DatabaseSpec": {
                  "fields": {
                    "database_id": {
                      "type": "uint64",
                      "id": 1
                    },
                    "db_name": {
                      "type": "string",
                      "id": 2
                    },
                    "password": {
                      "type": "string",
                      "id": 3
                    },
                    "password_revision": {
                      "type": "uint32",
                      "id": 4
                    },
                    "allowed_ips": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 5
                    },
                    "desired_state": {
                      "type": "string",
                      "id": 6
                    }
                  }
                },
                "CronJobSpec": {
                  "fields": {
                    "cron_job_id": {
                      "type": "uint64",
                      "id": 1
                    },
                    "schedule": {
                      "type": "string",
                      "id": 2
                    },
                    "command": {
                      "type": "string",
                      "id": 3
                    },
                    "enabled": {
                      "type": "bool",
                      "id": 4
                    }
                  }
                },
                "FtpLoginSpec": {
                  "fields": {
                    "name": {
                      "type": "string",
                      "id": 1
                    },
                    "folder": {
                      "type": "string",
                      "id": 2
                    },
                    "password_hash": {
                      "type": "string",
                      "id": 3
                    },
                    "public_keys": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 4
                    }
                  }
                },
                "AppSpec": {
                  "fields": {
                    "app_id": {
                      "type": "uint64",
                      "id": 1
                    },
                    "template_key": {
                      "type": "string",
                      "id": 2
                    },
                    "runtime": {
                      "type": "string",
                      "id": 3
                    },
                    "installer": {
                      "type": "string",
                      "id": 4
                    },
                    "desired_state": {
                      "type": "string",
                      "id": 5
                    },
                    "domain_id": {
                      "type": "uint64",
                      "id": 6
                    },
                    "database_id": {
                      "type": "uint64",
                      "id": 7
                    },
                    "node_version": {
                      "type": "string",
                      "id": 8
                    },
                    "start_command": {
                      "type": "string",
                      "id": 9
                    },
                    "env": {
                      "rule": "repeated",
                      "type": "EnvVar",
                      "id": 10
                    },
                    "release": {
                      "type": "ReleaseSpec",
                      "id": 11
                    },
                    "retries": {
                      "type": "uint32",
                      "id": 12
                    }
                  }
                },
                "EnvVar": {
                  "fields": {
                    "name": {
                      "type": "string",
                      "id": 1
                    },
                    "value": {
                      "type": "string",
                      "id": 2
                    },
                    "is_secret": {
                      "type": "bool",
                      "id": 3
                    }
                  }
                },
                "ReleaseSpec": {
                  "fields": {
                    "release_id": {
                      "type": "uint64",
                      "id": 1
                    },
                    "source": {
                      "type": "string",
                      "id": 2
                    },
                    "archive_sha256": {
                      "type": "string",
                      "id": 3
                    },
                    "archive_bytes": {
                      "type": "uint64",
                      "id": 4
                    },
                    "git_repository": {
                      "type": "string",
                      "id": 5
                    },
                    "git_branch": {
                      "type": "string",
                      "id": 6
                    },
                    "git_deploy_key": {
                      "type": "string",
                      "id": 7
                    }
                  }
                },
                "FetchArchiveRequest": {
                  "fields": {
                    "session_id": {
                      "type": "string",
                      "id": 1
                    },
                    "account_id": {
                      "type": "uint64",
                      "id": 2
                    },
                    "release_id": {
                      "type": "uint64",
                      "id": 3
                    }
                  }
                },
                "ArchiveChunk": {
                  "fields": {
                    "data": {
                      "type": "bytes",
                      "id": 1
                    }
                  }
                },
                "ChannelFrame": {
                  "fields": {
                    "opening": {
                      "type": "ChannelOpening",
                      "id": 1
                    },
                    "data": {
                      "type": "bytes",
                      "id": 2
                    },
                    "columns": {
                      "type": "uint32",
                      "id": 3
                    },
                    "rows": {
                      "type": "uint32",
                      "id": 4
                    },
                    "end": {
                      "type": "bool",
                      "id": 5
                    }
                  }
                },
                "ChannelOpening": {
                  "fields": {
                    "session_id": {
                      "type": "string",
                      "id": 1
                    },
                    "channel_id": {
                      "type": "string",
                      "id": 2
                    },
                    "secret": {
                      "type": "string",
                      "id": 3
                    }
                  }
                },
                "ReportAccountRequest": {
                  "fields": {
                    "session_id": {
                      "type": "string",
                      "id": 1
                    },
                    "account_id": {
                      "type": "uint64",
                      "id": 2
                    },
                    "observed_generation": {
                      "type": "uint64",
                      "id": 3
                    },
                    "outcome": {
                      "type": "string",
                      "id": 4
                    },
                    "conditions": {
                      "rule": "repeated",
                      "type": "Condition",
                      "id": 5
                    },
                    "domains": {
                      "rule": "repeated",
                      "type": "DomainStatus",
                      "id": 6
                    },
                    "driver_ms": {
                      "keyType": "string",
                      "type": "double",
                      "id": 7
                    },
                    "databases": {
                      "rule": "repeated",
                      "type": "DatabaseStatus",
                      "id": 8
                    },
                    "apps": {
                      "rule": "repeated",
                      "type": "AppStatus",
                      "id": 9
                    },
                    "next_pass_at": {
                      "type": "uint64",
                      "id": 10
                    }
                  }
                },
                "Condition": {
                  "fields": {
                    "type": {
                      "type": "string",
                      "id": 1
                    },
                    "reason": {
                      "type": "string",
                      "id": 2
                    },
                    "message": {
                      "type": "string",
                      "id": 3
                    }
                  }
                },
                "DomainStatus": {
                  "fields": {
                    "domain_id": {
                      "type": "uint64",
                      "id": 1
                    },
                    "status": {
                      "type": "string",
                      "id": 2
                    },
                    "reason": {
                      "type": "string",
                      "id": 3
                    },
                    "certificate": {
                      "type": "CertificateStatus",
                      "id": 4
                    }
                  }
                },
                "CertificateStatus": {
                  "fields": {
                    "status": {
                      "type": "string",
                      "id": 1
                    },
                    "revision": {
                      "type": "uint32",
                      "id": 2
                    },
                    "issuer": {
                      "type": "string",
                      "id": 3
                    },
                    "expires_at": {
                      "type": "uint64",
                      "id": 4
                    },
                    "error": {
                      "type": "string",
                      "id": 5
                    },
                    "next_attempt_at": {
                      "type": "uint64",
                      "id": 6
                    }
                  }
                },
                "DatabaseStatus": {
                  "fields": {
                    "database_id": {
                      "type": "uint64",
                      "id": 1
                    },
                    "status": {
                      "type": "string",
                      "id": 2
                    },
                    "reason": {
                      "type": "string",
                      "id": 3
                    }
                  }
                },
                "AppStatus": {
                  "fields": {
                    "app_id": {
                      "type": "uint64",
                      "id": 1
                    },
                    "status": {
                      "type": "string",
                      "id": 2
                    },
                    "reason": {
                      "type": "string",
                      "id": 3
                    },
                    "release_id": {
                      "type": "uint64",
                      "id": 4
                    },
                    "commit": {
                      "type": "CommitStatus",
                      "id": 5
                    }
                  }
                },
                "CommitStatus": {
                  "fields": {
                    "release_id": {
                      "type": "uint64",
                      "id": 1
                    },
                    "hash": {
                      "type": "string",
                      "id": 2
                    },
                    "author": {
                      "type": "string",
                      "id": 3
                    },
                    "subject": {
                      "type": "string",
                      "id": 4
                    }
                  }
                },
                "ReportAccountResponse": {
                  "fields": {}
                },
                "ReportUsageRequest": {
                  "fields": {
                    "session_id": {
                      "type": "string",
                      "id": 1
                    },
                    "interval_start": {
                      "type": "uint64",
                      "id": 2
                    },
                    "part": {
                      "type": "uint32",
                      "id": 3
                    },
                    "server": {
                      "type": "ServerUsage",
                      "id": 4
                    },
                    "accounts": {
                      "rule": "repeated",
                      "type": "AccountUsage",
                      "id": 5
                    },
                    "sites": {
                      "rule": "repeated",
                      "type": "SiteUsage",
                      "id": 6
                    },
                    "mail": {
                      "rule": "repeated",
                      "type": "AccountMail",
                      "id": 7
                    }
                  }
                },
                "AccountMail": {
                  "fields": {
                    "account_id": {
                      "type": "uint64",
                      "id": 1
                    },
                    "hour": {
                      "type": "uint32",
                      "id": 2
                    },
                    "hour_sent": {
                      "type": "uint32",
                      "id": 3
                    },
                    "hour_refused": {
                      "type": "uint32",
                      "id": 4
                    },
                    "day": {
                      "type": "uint32",
                      "id": 5
                    },
                    "day_sent": {
                      "type": "uint32",
                      "id": 6
                    },
                    "day_refused": {
                      "type": "uint32",
                      "id": 7
                    },
                    "queued": {
                      "type": "uint32",
                      "id": 8
                    }
                  }
                },
                "ServerUsage": {
                  "fields": {
                    "cpu_busy_ms": {
                      "type": "uint64",
                      "id": 1
                    },
                    "cpu_total_ms": {
                      "type": "uint64",
                      "id": 2
                    },
                    "memory_mb": {
                      "type": "uint32",
                      "id": 3
                    },
                    "memory_total_mb": {
                      "type": "uint32",
                      "id": 4
                    },
                    "disk_mb": {
                      "type": "uint32",
                      "id": 5
                    },
                    "disk_total_mb": {
                      "type": "uint32",
                      "id": 6
                    },
                    "load_percent": {
                      "type": "uint32",
                      "id": 7
                    },
                    "sent_bytes": {
                      "type": "uint64",
                      "id": 8
                    },
                    "requests": {
                      "type": "uint32",
                      "id": 9
                    },
                    "errors": {
                      "type": "uint32",
                      "id": 10
                    },
                    "accounts": {
                      "type": "uint32",
                      "id": 11
                    },
                    "running_accounts": {
                      "type": "uint32",
                      "id": 12
                    }
                  }
                },
                "AccountUsage": {
                  "oneofs": {
                    "_disk_mb": {
                      "oneof": [
                        "disk_mb"
                      ]
                    }
                  },
                  "fields": {
                    "account_id": {
                      "type": "uint64",
                      "id": 1
                    },
                    "cpu_ms": {
                      "type": "uint64",
                      "id": 2
                    },
                    "memory_mb": {
                      "type": "uint32",
                      "id": 3
                    },
                    "disk_mb": {
                      "type": "uint32",
                      "id": 4,
                      "options": {
                        "proto3_optional": true
                      }
                    },
                    "sent_bytes": {
                      "type": "uint64",
                      "id": 5
                    },
                    "requests": {
                      "type": "uint32",
                      "id": 6
                    },
                    "errors": {
                      "type": "uint32",
                      "id": 7
                    }
                  }
                },
                "SiteUsage": {
                  "fields": {
                    "domain_id": {
                      "type": "uint64",
                      "id": 1
                    },
                    "sent_bytes": {
                      "type": "uint64",
                      "id": 2
                    },
                    "requests": {
                      "type": "uint32",
                      "id": 3
                    },
                    "errors": {
                      "type": "uint32",
                      "id": 4
                    }
                  }
                },
                "ReportUsageResponse": {
                  "fields": {}
                }
              }
            }
          }
        }
      }
    }
  }
};

