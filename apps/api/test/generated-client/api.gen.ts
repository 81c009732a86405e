// Made from the OpenAPI document by generate.ts; not to be edited.

export interface paths {
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the service runs.
         * @description Needs no token. Counts among the 60 requests a minute of a client’s address, unless the installation sets another limit.
         */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether database and queue can be reached, and how many hosting servers are online.
         * @description Needs any valid token. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        get: operations["ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whom the token acts as, and what it may do.
         * @description Needs any valid token. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        get: operations["me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/login/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Signs the bearer of a login link in to the panel and leads to its page.
         * @description Needs no token: the link carries its own proof. Counts among the 30 requests a minute of a client’s address, unless the installation sets another limit.
         */
        get: operations["followLoginLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/packages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The packages that accounts can be created with.
         * @description Needs the ability `packages:read`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        get: operations["listPackages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/packages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One package.
         * @description Needs the ability `packages:read`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        get: operations["getPackage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The accounts that the token sees.
         * @description Needs the ability `accounts:read`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        get: operations["listAccounts"];
        put?: never;
        /**
         * Creates an account, with a package or with limits of its own.
         * @description Needs the ability `accounts:write`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        post: operations["createAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/check-username": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether a username is free.
         * @description Needs the ability `accounts:read`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        get: operations["checkUsername"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/usage/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What up to 100 accounts use.
         * @description Needs the ability `accounts:read`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        get: operations["getBulkUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One account.
         * @description Needs the ability `accounts:read`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        /**
         * Removes an account with all that belongs to it, for good.
         * @description Needs the ability `accounts:write`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        delete: operations["terminateAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an account uses of its limits.
         * @description Needs the ability `accounts:read`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Takes sites and logins of an account down.
         * @description Needs the ability `accounts:write`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        patch: operations["suspendAccount"];
        trace?: never;
    };
    "/accounts/{id}/unsuspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Brings a suspended account back.
         * @description Needs the ability `accounts:write`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        patch: operations["unsuspendAccount"];
        trace?: never;
    };
    "/accounts/{id}/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Sets the password of the panel login and of the Linux user.
         * @description Needs the ability `accounts:write`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        patch: operations["setAccountPassword"];
        trace?: never;
    };
    "/accounts/{id}/package": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Moves an account to another package and takes all its limits.
         * @description Needs the ability `accounts:write`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        patch: operations["changeAccountPackage"];
        trace?: never;
    };
    "/accounts/{id}/resources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Sets the limits of an account; its package stays.
         * @description Needs the ability `accounts:write`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        patch: operations["setAccountResources"];
        trace?: never;
    };
    "/accounts/{id}/login-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A link that signs the account’s end user in to the panel, for five minutes.
         * @description Needs the ability `accounts:write`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        post: operations["createLoginLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The domains that the token sees, of one account or of all.
         * @description Needs the ability `domains:read`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        get: operations["listDomains"];
        put?: never;
        /**
         * Adds a domain to an account and serves it.
         * @description Needs the ability `domains:write`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        post: operations["createDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One domain.
         * @description Needs the ability `domains:read`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        get: operations["getDomain"];
        put?: never;
        post?: never;
        /**
         * Stops serving a domain and removes it.
         * @description Needs the ability `domains:write`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        delete: operations["removeDomain"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains/{id}/ssl": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Has a certificate issued for a domain, and renewed from then on.
         * @description Needs the ability `domains:write`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        post: operations["installSsl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/app-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What apps can be installed from.
         * @description Needs the ability `apps:read`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        get: operations["listAppTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The apps that the token sees, of one account or of all.
         * @description Needs the ability `apps:read`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        get: operations["listApps"];
        put?: never;
        /**
         * Installs an app from a template.
         * @description Needs the ability `apps:write`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        post: operations["createApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/apps/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One app, with its environment; secrets are not shown.
         * @description Needs the ability `apps:read`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        get: operations["getApp"];
        put?: never;
        post?: never;
        /**
         * Stops an app and removes it with its files.
         * @description Needs the ability `apps:write`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        delete: operations["removeApp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/apps/{id}/deploy-zip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replaces the files of an app with those of a ZIP archive.
         * @description Needs the ability `apps:write`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        post: operations["deployZip"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/apps/{id}/deploy-git": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pulls and builds an app from its Git repository.
         * @description Needs the ability `apps:write`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        post: operations["deployGit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The databases that the token sees, of one account or of all.
         * @description Needs the ability `databases:read`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        get: operations["listDatabases"];
        put?: never;
        /**
         * Creates a database with a user of its own.
         * @description Needs the ability `databases:write`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        post: operations["createDatabase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databases/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One database.
         * @description Needs the ability `databases:read`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        get: operations["getDatabase"];
        put?: never;
        post?: never;
        /**
         * Drops a database and its user.
         * @description Needs the ability `databases:write`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        delete: operations["removeDatabase"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databases/{id}/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Gives a database a new password, which only the panel shows.
         * @description Needs the ability `databases:write`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        patch: operations["resetDatabasePassword"];
        trace?: never;
    };
    "/databases/{id}/allowed-ips": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lets an address use a database from elsewhere.
         * @description Needs the ability `databases:write`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        post: operations["allowDatabaseIp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/databases/{id}/allowed-ips/{ip}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Takes the permission of an address away.
         * @description Needs the ability `databases:write`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        delete: operations["revokeDatabaseIp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cron-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The cron jobs that the token sees, of one account or of all.
         * @description Needs the ability `cron:read`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        get: operations["listCronJobs"];
        put?: never;
        /**
         * Adds a cron job to an account.
         * @description Needs the ability `cron:write`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        post: operations["createCronJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cron-jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One cron job.
         * @description Needs the ability `cron:read`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        get: operations["getCronJob"];
        put?: never;
        post?: never;
        /**
         * Removes a cron job.
         * @description Needs the ability `cron:write`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        delete: operations["removeCronJob"];
        options?: never;
        head?: never;
        /**
         * Changes a cron job.
         * @description Needs the ability `cron:write`. Counts among the 60 requests a minute of a user, unless the installation sets another limit.
         */
        patch: operations["updateCronJob"];
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Health: {
            /** @constant */
            status: "ok";
            /** Format: date-time */
            time: string;
        };
        Readiness: {
            /** @enum {string} */
            status: "ok" | "unavailable";
            checks: {
                /** @enum {string} */
                database: "ok" | "failed";
                /** @enum {string} */
                queue: "ok" | "failed";
                nodes: {
                    total: number;
                    online: number;
                };
            };
        };
        Me: {
            /** @constant */
            status: "ok";
            /** @constant */
            authenticated: true;
            user: {
                id: number;
                username: string;
                /** @enum {string} */
                role: "admin" | "reseller";
            };
            token: {
                id: number;
                name: string;
                purpose: string;
                preset: string;
                abilities: string[];
            };
        };
        Package: {
            id: number;
            name: string;
            slug: string;
            disk_mb: number;
            bandwidth_mb: number;
            cpu_percent: number;
            ram_mb: number;
            /** @description MB/s. Null: unlimited. */
            io_read_mbps: number | null;
            /** @description MB/s. Null: unlimited. */
            io_write_mbps: number | null;
            /** @description Operations a second. Null: unlimited. */
            iops: number | null;
            /** @description Processes at once. Null: unlimited. */
            max_processes: number | null;
            max_domains: number;
            max_databases: number;
            max_apps: number;
            max_cron_jobs: number;
            /** @description Whether the account may have a shell. */
            terminal_access: boolean;
            is_active: boolean;
        };
        Account: {
            id: number;
            username: string;
            name: string;
            email: string;
            /** @enum {string} */
            status: "active" | "suspended" | "terminating";
            package: {
                id: number;
                name: string;
                disk_mb: number;
            };
            /** @description The package. Null or left out in a new account: limits of its own. */
            package_id: number;
            /** @description The name on the hosting server. */
            linux_user: string;
            home_path: string;
            /** @description MB. */
            disk_limit_mb: number;
            /** @description MB a month. */
            bandwidth_limit_mb: number;
            /** @description Of one CPU. */
            cpu_limit_percent: number;
            /** @description MB. */
            ram_limit_mb: number;
            /** @description MB/s. Null: unlimited. */
            io_read_mbps: number | null;
            /** @description MB/s. Null: unlimited. */
            io_write_mbps: number | null;
            /** @description Operations a second. Null: unlimited. */
            iops: number | null;
            /** @description Processes at once. Null: unlimited. */
            max_processes: number | null;
            max_domains: number;
            max_databases: number;
            max_apps: number;
            max_cron_jobs: number;
            /** @description Whether the account may have a shell. */
            terminal_access: boolean;
            domains: {
                id: number;
                domain_name: string;
                /** @description An account has one primary domain; its first, unless another one is made it. */
                is_primary: boolean;
            }[];
            apps_count: number;
            /** @description The same as `max_apps`. */
            apps_limit: number;
            /** @description Whether the hosting server has made the newest state true. */
            synced: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The hosting server; shown to admins. */
            node?: {
                id: number;
                name: string;
            };
            apps?: components["schemas"]["AppSummary"][];
            usage?: components["schemas"]["UsageSnapshot"];
        };
        AccountListItem: {
            id: number;
            username: string;
            email: string;
            /** @enum {string} */
            status: "active" | "suspended" | "terminating";
            package: {
                id: number;
                name: string;
            };
            /** @description Null: the account has no domain. */
            primary_domain: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description The hosting server; shown to admins. */
            node?: {
                id: number;
                name: string;
            };
        };
        AccountList: {
            current_page: number;
            data: components["schemas"]["AccountListItem"][];
            from: number | null;
            last_page: number;
            /** @description Rows of a page; 25 unless told otherwise. */
            per_page: number;
            to: number | null;
            total: number;
        };
        UsernameCheck: {
            username: string;
            available: boolean;
        };
        UsageSnapshot: {
            disk_used_mb: number;
            /** @description MB. */
            disk_limit_mb: number;
            bandwidth_used_mb: number;
            /** @description MB a month. */
            bandwidth_limit_mb: number;
            cpu_used_percent: number;
            /** @description Of one CPU. */
            cpu_limit_percent: number;
            ram_used_mb: number;
            /** @description MB. */
            ram_limit_mb: number;
            /** @description When the hosting server measured it. Null: never yet. */
            measured_at: string | null;
        };
        BulkUsage: {
            data: {
                [key: string]: components["schemas"]["UsageSnapshot"];
            };
            meta: {
                requested: number;
                returned: number;
                /** @description Ids that were asked for, and that the token does not see. */
                missing_ids: number[];
            };
        };
        LoginLink: {
            /**
             * Format: uri
             * @description To be opened by the end user’s browser.
             */
            login_url: string;
            /** @description Seconds. */
            expires_in: number;
            user_username: string;
            user_email: string;
            /** @enum {string} */
            target: "dashboard" | "apps" | "domains" | "databases" | "cron" | "files" | "terminal" | "backups" | "app";
        };
        HostingAccount: {
            id: number;
            username: string;
        };
        Domain: {
            id: number;
            domain_name: string;
            /** @description The account. */
            hosting_account_id: number;
            /** @description An account has one primary domain; its first, unless another one is made it. */
            is_primary: boolean;
            document_root: string;
            status: string;
            /** @description Why, where the status does not say it. Null: nothing to say. */
            status_reason: string | null;
            /** @description The certificate. */
            ssl: {
                /** @enum {string} */
                status: "none" | "pending" | "active" | "failed";
                /** @description Of the certificate. */
                issuer: string | null;
                expires_at: string | null;
                error: string | null;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        DomainWithAccount: {
            id: number;
            domain_name: string;
            /** @description The account. */
            hosting_account_id: number;
            /** @description An account has one primary domain; its first, unless another one is made it. */
            is_primary: boolean;
            document_root: string;
            status: string;
            /** @description Why, where the status does not say it. Null: nothing to say. */
            status_reason: string | null;
            /** @description The certificate. */
            ssl: {
                /** @enum {string} */
                status: "none" | "pending" | "active" | "failed";
                /** @description Of the certificate. */
                issuer: string | null;
                expires_at: string | null;
                error: string | null;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            hosting_account: components["schemas"]["HostingAccount"];
        };
        DomainList: {
            current_page: number;
            data: components["schemas"]["Domain"][];
            from: number | null;
            last_page: number;
            /** @description Rows of a page; 25 unless told otherwise. */
            per_page: number;
            to: number | null;
            total: number;
        };
        AppTemplate: {
            key: string;
            name: string;
            description: string;
            icon: string;
            /** @description Whether an app needs a domain. */
            requires_domain: boolean;
            env_schema: {
                name: string;
                label: string;
                description: string;
                required: boolean;
                secret: boolean;
                default: string | null;
            }[];
            node_versions?: string[];
        };
        AppSummary: {
            id: number;
            name: string;
            /** @description One of `GET /app-templates`. */
            template_key: string;
            template_name: string;
            /** @enum {string} */
            status: "pending" | "installing" | "building" | "updating" | "starting" | "stopping" | "running" | "stopped" | "failed" | "removing";
        };
        AppListItem: {
            id: number;
            name: string;
            /** @description One of `GET /app-templates`. */
            template_key: string;
            template_name: string;
            /** @enum {string} */
            status: "pending" | "installing" | "building" | "updating" | "starting" | "stopping" | "running" | "stopped" | "failed" | "removing";
            /** @description The account. */
            hosting_account_id: number;
            /** @description Why, where the status does not say it. Null: nothing to say. */
            status_reason: string | null;
            domain?: {
                id: number;
                domain_name: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        App: {
            id: number;
            name: string;
            /** @description One of `GET /app-templates`. */
            template_key: string;
            template_name: string;
            /** @enum {string} */
            status: "pending" | "installing" | "building" | "updating" | "starting" | "stopping" | "running" | "stopped" | "failed" | "removing";
            /** @description The account. */
            hosting_account_id: number;
            /** @description Why, where the status does not say it. Null: nothing to say. */
            status_reason: string | null;
            domain?: {
                id: number;
                domain_name: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Of templates that run on Node.js. */
            node_version: string | null;
            /** @description Of templates that run on Node.js. */
            start_command: string | null;
            deploy_root: string;
            /** @description What was deployed last. Null: what the template made. */
            release: {
                id: number;
                /** @enum {string} */
                source: "zip" | "git";
                /** Format: date-time */
                created_at: string;
            } | null;
            /** @description The end of the log of what failed last. */
            last_error: string | null;
            /** @description Where the app is deployed from. */
            git: {
                repository: string;
                branch: string;
            } | null;
            /** @description Environment variables; the value of a secret is null. */
            env_vars: {
                id: number;
                key: string;
                value: string | null;
                is_secret: boolean;
            }[];
        };
        AppList: {
            current_page: number;
            data: components["schemas"]["AppListItem"][];
            from: number | null;
            last_page: number;
            /** @description Rows of a page; 25 unless told otherwise. */
            per_page: number;
            to: number | null;
            total: number;
        };
        Database: {
            id: number;
            /** @description The account. */
            hosting_account_id: number;
            name: string;
            db_name: string;
            db_user: string;
            /** @description Where the account’s own programs find it. */
            db_host: string;
            /** @enum {string} */
            status: "pending" | "active" | "suspended" | "failed" | "removing";
            /** @description Why, where the status does not say it. Null: nothing to say. */
            status_reason: string | null;
            /** @description Addresses from which the database may be used, beside its own server. Null: none. */
            allowed_ips: string[] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        DatabaseWithAccount: {
            id: number;
            /** @description The account. */
            hosting_account_id: number;
            name: string;
            db_name: string;
            db_user: string;
            /** @description Where the account’s own programs find it. */
            db_host: string;
            /** @enum {string} */
            status: "pending" | "active" | "suspended" | "failed" | "removing";
            /** @description Why, where the status does not say it. Null: nothing to say. */
            status_reason: string | null;
            /** @description Addresses from which the database may be used, beside its own server. Null: none. */
            allowed_ips: string[] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            hosting_account: components["schemas"]["HostingAccount"];
        };
        DatabaseList: {
            current_page: number;
            data: components["schemas"]["Database"][];
            from: number | null;
            last_page: number;
            /** @description Rows of a page; 25 unless told otherwise. */
            per_page: number;
            to: number | null;
            total: number;
        };
        CronJob: {
            id: number;
            /** @description The account. */
            hosting_account_id: number;
            name: string;
            /** @description A cron expression of five fields, or a name like `@hourly`. */
            schedule: string;
            /** @description One line; `;`, `|`, `&`, backticks, `$(`, `sudo`, `su` and redirects into system folders are refused. */
            command: string;
            enabled: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        CronJobWithAccount: {
            id: number;
            /** @description The account. */
            hosting_account_id: number;
            name: string;
            /** @description A cron expression of five fields, or a name like `@hourly`. */
            schedule: string;
            /** @description One line; `;`, `|`, `&`, backticks, `$(`, `sudo`, `su` and redirects into system folders are refused. */
            command: string;
            enabled: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            hosting_account: components["schemas"]["HostingAccount"];
            /** @description Whether the hosting server has made the newest state true. */
            synced: boolean;
        };
        CronJobList: {
            current_page: number;
            data: components["schemas"]["CronJob"][];
            from: number | null;
            last_page: number;
            /** @description Rows of a page; 25 unless told otherwise. */
            per_page: number;
            to: number | null;
            total: number;
        };
        Message: {
            message: string;
        };
        ValidationError: {
            message: string;
            /** @description Sentences about each refused field, by its name. */
            errors: {
                [key: string]: string[];
            };
        };
        ServiceError: {
            error: string;
        };
        Failure: {
            message: string;
            /** @description Names the request in the log. */
            request_id: string;
        };
        CreateAccountRequest: {
            username: string;
            name: string;
            /** Format: email */
            email: string;
            /** Format: password */
            password: string;
            /** @description The package. Null or left out in a new account: limits of its own. */
            package_id: number;
            /** @description MB. */
            disk_limit_mb?: number;
            /** @description MB a month. */
            bandwidth_limit_mb?: number;
            /** @description Of one CPU. */
            cpu_limit_percent?: number;
            /** @description MB. */
            ram_limit_mb?: number;
            /** @description MB/s. Null: unlimited. */
            io_read_mbps?: number | null;
            /** @description MB/s. Null: unlimited. */
            io_write_mbps?: number | null;
            /** @description Operations a second. Null: unlimited. */
            iops?: number | null;
            /** @description Processes at once. Null: unlimited. */
            max_processes?: number | null;
            max_domains?: number;
            max_databases?: number;
            max_apps?: number;
            /** @description Whether the account may have a shell. */
            terminal_access?: boolean;
        } | {
            username: string;
            name: string;
            /** Format: email */
            email: string;
            /** Format: password */
            password: string;
            /** @description The package. Null or left out in a new account: limits of its own. */
            package_id?: null;
            /** @description MB. */
            disk_limit_mb: number;
            /** @description MB a month. */
            bandwidth_limit_mb: number;
            /** @description Of one CPU. */
            cpu_limit_percent: number;
            /** @description MB. */
            ram_limit_mb: number;
            /** @description MB/s. Null: unlimited. */
            io_read_mbps?: number | null;
            /** @description MB/s. Null: unlimited. */
            io_write_mbps?: number | null;
            /** @description Operations a second. Null: unlimited. */
            iops?: number | null;
            /** @description Processes at once. Null: unlimited. */
            max_processes?: number | null;
            max_domains: number;
            max_databases: number;
            max_apps: number;
            /** @description Whether the account may have a shell. */
            terminal_access?: boolean;
        };
        SetAccountPasswordRequest: {
            /** Format: password */
            password: string;
        };
        ChangeAccountPackageRequest: {
            /** @description The package. Null or left out in a new account: limits of its own. */
            package_id: number;
        };
        SetAccountResourcesRequest: {
            /** @description MB. */
            disk_limit_mb: number;
            /** @description MB a month. */
            bandwidth_limit_mb: number;
            /** @description Of one CPU. */
            cpu_limit_percent: number;
            /** @description MB. */
            ram_limit_mb: number;
            /** @description MB/s. Null: unlimited. */
            io_read_mbps?: number | null;
            /** @description MB/s. Null: unlimited. */
            io_write_mbps?: number | null;
            /** @description Operations a second. Null: unlimited. */
            iops?: number | null;
            /** @description Processes at once. Null: unlimited. */
            max_processes?: number | null;
            max_domains: number;
            max_databases: number;
            max_apps: number;
            /** @description Whether the account may have a shell. */
            terminal_access: boolean;
        };
        CreateLoginLinkRequest: {
            /**
             * @default dashboard
             * @enum {string}
             */
            target: "dashboard" | "apps" | "domains" | "databases" | "cron" | "files" | "terminal" | "backups" | "app";
            app_id?: number;
            domain_id?: number;
        };
        CreateDomainRequest: {
            /** @description The account. */
            hosting_account_id: number;
            /** Format: hostname */
            domain_name: string;
            /** @description An account has one primary domain; its first, unless another one is made it. */
            is_primary?: boolean;
            /** @description Lets an admin take a name of the provider’s own, or one below or above it or another account’s domain. */
            allow_overlap?: boolean;
        };
        InstallSslRequest: {
            /** Format: email */
            email?: string;
        };
        CreateAppRequest: {
            /** @description The account. */
            hosting_account_id: number;
            /** @description One of `GET /app-templates`. */
            template_key: string;
            name: string;
            domain_id?: number;
            /** @description Of templates that run on Node.js. */
            node_version?: string;
            /** @description Of templates that run on Node.js. */
            start_command?: string;
            /** @description Environment variables, by name. */
            env?: {
                [key: string]: string | number | boolean | null;
            };
            /** @description Where the app is deployed from. */
            git?: {
                repository: string;
                /** @default main */
                branch: string;
                /**
                 * Format: password
                 * @description A private key that may read the repository; it is not shown again.
                 */
                deploy_key?: string;
            };
        };
        CreateDatabaseRequest: {
            /** @description The account. */
            hosting_account_id: number;
            name?: string;
        };
        AllowDatabaseIpRequest: {
            ip: string | unknown | unknown;
        };
        CreateCronJobRequest: {
            /** @description The account. */
            hosting_account_id: number;
            name?: string;
            /** @description A cron expression of five fields, or a name like `@hourly`. */
            schedule: string;
            /** @description One line; `;`, `|`, `&`, backticks, `$(`, `sudo`, `su` and redirects into system folders are refused. */
            command: string;
        };
        UpdateCronJobRequest: {
            name?: string;
            /** @description A cron expression of five fields, or a name like `@hourly`. */
            schedule: string;
            /** @description One line; `;`, `|`, `&`, backticks, `$(`, `sudo`, `su` and redirects into system folders are refused. */
            command: string;
            enabled?: boolean;
        };
    };
    responses: {
        /** @description The token is missing, unknown or revoked. */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Unauthenticated."
                 *     }
                 */
                "application/json": components["schemas"]["Message"];
            };
        };
        /** @description The token lacks the ability, may not be used from this address, or the record forbids it. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "This API token does not have the required permission."
                 *     }
                 */
                "application/json": components["schemas"]["Message"];
            };
        };
        /** @description There is no such record, or the token does not see it. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Not found."
                 *     }
                 */
                "application/json": components["schemas"]["Message"];
            };
        };
        /** @description A request with the same Idempotency-Key is under way. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "A request with this Idempotency-Key is in progress."
                 *     }
                 */
                "application/json": components["schemas"]["Message"];
            };
        };
        /** @description The body is too large. */
        TooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The POST data is too large."
                 *     }
                 */
                "application/json": components["schemas"]["Message"];
            };
        };
        /** @description Fields were refused (`message` and `errors`), a limit is reached (`error`), or the change cannot be made (`message`). */
        Unprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ServiceError"] | components["schemas"]["Message"];
            };
        };
        /** @description The rate limit is reached. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Too Many Attempts."
                 *     }
                 */
                "application/json": components["schemas"]["Message"];
            };
        };
        /** @description A defect, or a node that refused for good. */
        ServerError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Server Error",
                 *       "request_id": "5b0c0a9e-4a1b-4d7c-9a53-0d8d6d7f0b11"
                 *     }
                 */
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The database cannot be reached, or the request took too long. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The request took too long."
                 *     }
                 */
                "application/json": components["schemas"]["Message"] | components["schemas"]["Failure"];
            };
        };
    };
    parameters: {
        /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: {
        /** @description Names the request in the log. */
        "X-Request-Id": string;
        /** @description Requests that the window of a minute admits. */
        "X-RateLimit-Limit": number;
        /** @description Requests that the window still admits. */
        "X-RateLimit-Remaining": number;
        /** @description When the next window begins, in seconds since 1970. */
        "X-RateLimit-Reset": number;
        /** @description Seconds until the next window begins. */
        "Retry-After": number;
        /** @description The scheme of the tokens. */
        "WWW-Authenticate": "Bearer";
        /** @description Sent when this is the kept answer of an earlier request with the same Idempotency-Key. */
        "Idempotent-Replayed": "true";
        /** @description The page of the panel. */
        Location: string;
        /** @description The session. */
        "Set-Cookie": string;
        /** @description Keeps the link to itself. */
        "Referrer-Policy": "no-referrer";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
        };
    };
    ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            /** @description The database cannot be reached, or the request took too long. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"] | (components["schemas"]["Message"] | components["schemas"]["Failure"]);
                };
            };
        };
    };
    me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "authenticated": true,
                     *       "user": {
                     *         "id": 2,
                     *         "username": "acme",
                     *         "role": "reseller"
                     *       },
                     *       "token": {
                     *         "id": 5,
                     *         "name": "billing",
                     *         "purpose": "api",
                     *         "preset": "full",
                     *         "abilities": [
                     *           "*"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Me"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    followLoginLink: {
        parameters: {
            query: {
                expires: number;
                target: "dashboard" | "apps" | "domains" | "databases" | "cron" | "files" | "terminal" | "backups" | "app";
                app_id?: number;
                domain_id?: number;
                signature: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The way to the page, with a session. */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    Location: components["headers"]["Location"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPackages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Package"][];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPackage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Package"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAccounts: {
        parameters: {
            query?: {
                username?: string;
                /** @description From 1; what is no page counts as 1. */
                page?: number;
                /** @description Rows of a page; 25 unless told otherwise. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "username": "alice",
                 *       "name": "Alice",
                 *       "email": "alice@example.com",
                 *       "password": "correct horse battery staple",
                 *       "package_id": 1
                 *     }
                 */
                "application/json": components["schemas"]["CreateAccountRequest"];
                /**
                 * @example {
                 *       "username": "alice",
                 *       "name": "Alice",
                 *       "email": "alice@example.com",
                 *       "password": "correct horse battery staple",
                 *       "package_id": 1
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["CreateAccountRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": 17,
                     *         "username": "alice",
                     *         "name": "Alice",
                     *         "email": "alice@example.com",
                     *         "status": "active",
                     *         "package": {
                     *           "id": 1,
                     *           "name": "Starter",
                     *           "disk_mb": 5120
                     *         },
                     *         "package_id": 1,
                     *         "linux_user": "alice",
                     *         "home_path": "/home/alice",
                     *         "disk_limit_mb": 5120,
                     *         "bandwidth_limit_mb": 51200,
                     *         "cpu_limit_percent": 100,
                     *         "ram_limit_mb": 1024,
                     *         "io_read_mbps": 50,
                     *         "io_write_mbps": 50,
                     *         "iops": null,
                     *         "max_processes": 100,
                     *         "max_domains": 5,
                     *         "max_databases": 3,
                     *         "max_apps": 2,
                     *         "max_cron_jobs": 5,
                     *         "terminal_access": false,
                     *         "domains": [
                     *           {
                     *             "id": 31,
                     *             "domain_name": "alice.example.com",
                     *             "is_primary": true
                     *           }
                     *         ],
                     *         "apps_count": 0,
                     *         "apps_limit": 2,
                     *         "synced": true,
                     *         "created_at": "2026-11-21T00:37:37.000000Z",
                     *         "updated_at": "2026-11-21T00:37:37.000000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Account"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkUsername: {
        parameters: {
            query: {
                username: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UsernameCheck"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBulkUsage: {
        parameters: {
            query: {
                /** @description The account. */
                "hosting_account_id[]": number[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "17": {
                     *           "disk_used_mb": 812,
                     *           "disk_limit_mb": 5120,
                     *           "bandwidth_used_mb": 1204,
                     *           "bandwidth_limit_mb": 51200,
                     *           "cpu_used_percent": 3,
                     *           "cpu_limit_percent": 100,
                     *           "ram_used_mb": 96,
                     *           "ram_limit_mb": 1024,
                     *           "measured_at": "2026-11-21T00:37:37.000000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "requested": 2,
                     *         "returned": 1,
                     *         "missing_ids": [
                     *           99
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BulkUsage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAccount: {
        parameters: {
            query?: {
                /** @description Words separated by commas: `apps` adds up to 10 apps, `usage` the usage snapshot. */
                include?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": 17,
                     *         "username": "alice",
                     *         "name": "Alice",
                     *         "email": "alice@example.com",
                     *         "status": "active",
                     *         "package": {
                     *           "id": 1,
                     *           "name": "Starter",
                     *           "disk_mb": 5120
                     *         },
                     *         "package_id": 1,
                     *         "linux_user": "alice",
                     *         "home_path": "/home/alice",
                     *         "disk_limit_mb": 5120,
                     *         "bandwidth_limit_mb": 51200,
                     *         "cpu_limit_percent": 100,
                     *         "ram_limit_mb": 1024,
                     *         "io_read_mbps": 50,
                     *         "io_write_mbps": 50,
                     *         "iops": null,
                     *         "max_processes": 100,
                     *         "max_domains": 5,
                     *         "max_databases": 3,
                     *         "max_apps": 2,
                     *         "max_cron_jobs": 5,
                     *         "terminal_access": false,
                     *         "domains": [
                     *           {
                     *             "id": 31,
                     *             "domain_name": "alice.example.com",
                     *             "is_primary": true
                     *           }
                     *         ],
                     *         "apps_count": 0,
                     *         "apps_limit": 2,
                     *         "synced": true,
                     *         "created_at": "2026-11-21T00:37:37.000000Z",
                     *         "updated_at": "2026-11-21T00:37:37.000000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Account"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    terminateAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Termination queued"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        message: "Termination queued";
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "disk_used_mb": 812,
                     *         "disk_limit_mb": 5120,
                     *         "bandwidth_used_mb": 1204,
                     *         "bandwidth_limit_mb": 51200,
                     *         "cpu_used_percent": 3,
                     *         "cpu_limit_percent": 100,
                     *         "ram_used_mb": 96,
                     *         "ram_limit_mb": 1024,
                     *         "measured_at": "2026-11-21T00:37:37.000000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["UsageSnapshot"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    suspendAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": 17,
                     *         "username": "alice",
                     *         "name": "Alice",
                     *         "email": "alice@example.com",
                     *         "status": "suspended",
                     *         "package": {
                     *           "id": 1,
                     *           "name": "Starter",
                     *           "disk_mb": 5120
                     *         },
                     *         "package_id": 1,
                     *         "linux_user": "alice",
                     *         "home_path": "/home/alice",
                     *         "disk_limit_mb": 5120,
                     *         "bandwidth_limit_mb": 51200,
                     *         "cpu_limit_percent": 100,
                     *         "ram_limit_mb": 1024,
                     *         "io_read_mbps": 50,
                     *         "io_write_mbps": 50,
                     *         "iops": null,
                     *         "max_processes": 100,
                     *         "max_domains": 5,
                     *         "max_databases": 3,
                     *         "max_apps": 2,
                     *         "max_cron_jobs": 5,
                     *         "terminal_access": false,
                     *         "domains": [
                     *           {
                     *             "id": 31,
                     *             "domain_name": "alice.example.com",
                     *             "is_primary": true
                     *           }
                     *         ],
                     *         "apps_count": 0,
                     *         "apps_limit": 2,
                     *         "synced": true,
                     *         "created_at": "2026-11-21T00:37:37.000000Z",
                     *         "updated_at": "2026-11-21T00:37:37.000000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Account"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    unsuspendAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": 17,
                     *         "username": "alice",
                     *         "name": "Alice",
                     *         "email": "alice@example.com",
                     *         "status": "active",
                     *         "package": {
                     *           "id": 1,
                     *           "name": "Starter",
                     *           "disk_mb": 5120
                     *         },
                     *         "package_id": 1,
                     *         "linux_user": "alice",
                     *         "home_path": "/home/alice",
                     *         "disk_limit_mb": 5120,
                     *         "bandwidth_limit_mb": 51200,
                     *         "cpu_limit_percent": 100,
                     *         "ram_limit_mb": 1024,
                     *         "io_read_mbps": 50,
                     *         "io_write_mbps": 50,
                     *         "iops": null,
                     *         "max_processes": 100,
                     *         "max_domains": 5,
                     *         "max_databases": 3,
                     *         "max_apps": 2,
                     *         "max_cron_jobs": 5,
                     *         "terminal_access": false,
                     *         "domains": [
                     *           {
                     *             "id": 31,
                     *             "domain_name": "alice.example.com",
                     *             "is_primary": true
                     *           }
                     *         ],
                     *         "apps_count": 0,
                     *         "apps_limit": 2,
                     *         "synced": true,
                     *         "created_at": "2026-11-21T00:37:37.000000Z",
                     *         "updated_at": "2026-11-21T00:37:37.000000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Account"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setAccountPassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["SetAccountPasswordRequest"];
                /**
                 * @example {
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["SetAccountPasswordRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Account"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeAccountPackage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "package_id": 2
                 *     }
                 */
                "application/json": components["schemas"]["ChangeAccountPackageRequest"];
                /**
                 * @example {
                 *       "package_id": 2
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["ChangeAccountPackageRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Account"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setAccountResources: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "disk_limit_mb": 5120,
                 *       "bandwidth_limit_mb": 51200,
                 *       "cpu_limit_percent": 100,
                 *       "ram_limit_mb": 1024,
                 *       "io_read_mbps": 50,
                 *       "io_write_mbps": 50,
                 *       "iops": null,
                 *       "max_processes": 100,
                 *       "max_domains": 5,
                 *       "max_databases": 3,
                 *       "max_apps": 2,
                 *       "terminal_access": false
                 *     }
                 */
                "application/json": components["schemas"]["SetAccountResourcesRequest"];
                /**
                 * @example {
                 *       "disk_limit_mb": 5120,
                 *       "bandwidth_limit_mb": 51200,
                 *       "cpu_limit_percent": 100,
                 *       "ram_limit_mb": 1024,
                 *       "io_read_mbps": 50,
                 *       "io_write_mbps": 50,
                 *       "iops": null,
                 *       "max_processes": 100,
                 *       "max_domains": 5,
                 *       "max_databases": 3,
                 *       "max_apps": 2,
                 *       "terminal_access": false
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["SetAccountResourcesRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Account"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createLoginLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "target": "domains",
                 *       "domain_id": 31
                 *     }
                 */
                "application/json": components["schemas"]["CreateLoginLinkRequest"];
                /**
                 * @example {
                 *       "target": "domains",
                 *       "domain_id": 31
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["CreateLoginLinkRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "login_url": "https://panel.example.com:8443/api/v1/sso/login/23?expires=1795221757&target=domains&domain_id=31&signature=0b1f6c",
                     *         "expires_in": 300,
                     *         "user_username": "alice",
                     *         "user_email": "alice@example.com",
                     *         "target": "domains"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["LoginLink"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDomains: {
        parameters: {
            query?: {
                /** @description The account. */
                hosting_account_id?: number;
                /** @description From 1; what is no page counts as 1. */
                page?: number;
                /** @description Rows of a page; 25 unless told otherwise. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DomainList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "hosting_account_id": 17,
                 *       "domain_name": "alice.example.com",
                 *       "is_primary": true
                 *     }
                 */
                "application/json": components["schemas"]["CreateDomainRequest"];
                /**
                 * @example {
                 *       "hosting_account_id": 17,
                 *       "domain_name": "alice.example.com",
                 *       "is_primary": true
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["CreateDomainRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": 31,
                     *         "domain_name": "alice.example.com",
                     *         "hosting_account_id": 17,
                     *         "is_primary": true,
                     *         "document_root": "/home/alice/domains/alice.example.com/public_html",
                     *         "status": "active",
                     *         "status_reason": null,
                     *         "ssl": {
                     *           "status": "none",
                     *           "issuer": null,
                     *           "expires_at": null,
                     *           "error": null
                     *         },
                     *         "created_at": "2026-11-21T00:37:37.000000Z",
                     *         "updated_at": "2026-11-21T00:37:37.000000Z",
                     *         "hosting_account": {
                     *           "id": 17,
                     *           "username": "alice"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DomainWithAccount"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DomainWithAccount"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Domain removal queued";
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    installSsl: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "email": "alice@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["InstallSslRequest"];
                /**
                 * @example {
                 *       "email": "alice@example.com"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["InstallSslRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["DomainWithAccount"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAppTemplates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AppTemplate"][];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApps: {
        parameters: {
            query?: {
                /** @description The account. */
                hosting_account_id?: number;
                /** @description From 1; what is no page counts as 1. */
                page?: number;
                /** @description Rows of a page; 25 unless told otherwise. */
                per_page?: number;
                status?: "pending" | "installing" | "building" | "updating" | "starting" | "stopping" | "running" | "stopped" | "failed" | "removing";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "hosting_account_id": 17,
                 *       "template_key": "nodejs",
                 *       "name": "Shop",
                 *       "domain_id": 31,
                 *       "node_version": "22",
                 *       "start_command": "node server.js",
                 *       "env": {
                 *         "NODE_ENV": "production"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateAppRequest"];
                /**
                 * @example {
                 *       "hosting_account_id": 17,
                 *       "template_key": "nodejs",
                 *       "name": "Shop",
                 *       "domain_id": 31,
                 *       "node_version": "22",
                 *       "start_command": "node server.js",
                 *       "env": {
                 *         "NODE_ENV": "production"
                 *       }
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["CreateAppRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["App"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getApp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["App"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeApp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "App removed";
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deployZip: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description A ZIP archive.
                     */
                    archive: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: {
                            app: components["schemas"]["App"];
                            /** @description Size of the archive. */
                            archive_bytes: number;
                        };
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deployGit: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                        data: components["schemas"]["App"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDatabases: {
        parameters: {
            query?: {
                /** @description The account. */
                hosting_account_id?: number;
                /** @description From 1; what is no page counts as 1. */
                page?: number;
                /** @description Rows of a page; 25 unless told otherwise. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDatabase: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "hosting_account_id": 17,
                 *       "name": "shop"
                 *     }
                 */
                "application/json": components["schemas"]["CreateDatabaseRequest"];
                /**
                 * @example {
                 *       "hosting_account_id": 17,
                 *       "name": "shop"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["CreateDatabaseRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": 8,
                     *         "hosting_account_id": 17,
                     *         "name": "shop",
                     *         "db_name": "alice_shop",
                     *         "db_user": "alice_shop",
                     *         "db_host": "localhost",
                     *         "status": "pending",
                     *         "status_reason": null,
                     *         "allowed_ips": null,
                     *         "created_at": "2026-11-21T00:37:37.000000Z",
                     *         "updated_at": "2026-11-21T00:37:37.000000Z",
                     *         "hosting_account": {
                     *           "id": 17,
                     *           "username": "alice"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DatabaseWithAccount"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDatabase: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DatabaseWithAccount"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeDatabase: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Database removal queued";
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetDatabasePassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DatabaseWithAccount"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    allowDatabaseIp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ip": "192.0.2.44"
                 *     }
                 */
                "application/json": components["schemas"]["AllowDatabaseIpRequest"];
                /**
                 * @example {
                 *       "ip": "192.0.2.44"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["AllowDatabaseIpRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DatabaseWithAccount"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeDatabaseIp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
                ip: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DatabaseWithAccount"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCronJobs: {
        parameters: {
            query?: {
                /** @description The account. */
                hosting_account_id?: number;
                /** @description From 1; what is no page counts as 1. */
                page?: number;
                /** @description Rows of a page; 25 unless told otherwise. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CronJobList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCronJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "hosting_account_id": 17,
                 *       "name": "Clean up",
                 *       "schedule": "15 3 * * *",
                 *       "command": "php /home/alice/clean-up.php"
                 *     }
                 */
                "application/json": components["schemas"]["CreateCronJobRequest"];
                /**
                 * @example {
                 *       "hosting_account_id": 17,
                 *       "name": "Clean up",
                 *       "schedule": "15 3 * * *",
                 *       "command": "php /home/alice/clean-up.php"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["CreateCronJobRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": 4,
                     *         "hosting_account_id": 17,
                     *         "name": "Clean up",
                     *         "schedule": "15 3 * * *",
                     *         "command": "php /home/alice/clean-up.php",
                     *         "enabled": true,
                     *         "created_at": "2026-11-21T00:37:37.000000Z",
                     *         "updated_at": "2026-11-21T00:37:37.000000Z",
                     *         "hosting_account": {
                     *           "id": 17,
                     *           "username": "alice"
                     *         },
                     *         "synced": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CronJobWithAccount"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCronJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CronJobWithAccount"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeCronJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Cron job removed";
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCronJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours: the same key with the same request gives the first answer again; with another request it is refused with 422, and with 409 while the first is under way. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "schedule": "0 4 * * *",
                 *       "command": "php /home/alice/clean-up.php",
                 *       "enabled": false
                 *     }
                 */
                "application/json": components["schemas"]["UpdateCronJobRequest"];
                /**
                 * @example {
                 *       "schedule": "0 4 * * *",
                 *       "command": "php /home/alice/clean-up.php",
                 *       "enabled": false
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["UpdateCronJobRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CronJobWithAccount"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
