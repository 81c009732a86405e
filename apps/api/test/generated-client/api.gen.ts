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
         * Check that the service runs.
         * @description Requires no token. Default rate limit: 60 requests per minute per client IP address. The installation can set another limit.
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
         * Check the database and the queue, and count the online hosting servers.
         * @description Requires any valid token. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * Show the user and the abilities of the token.
         * @description Requires any valid token. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * Sign in to the panel with a login link and redirect to its page.
         * @description Requires no token: the link has a signature. Default rate limit: 30 requests per minute per client IP address. The installation can set another limit.
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
         * List the packages for new accounts.
         * @description Requires the ability `packages:read`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * Get a package.
         * @description Requires the ability `packages:read`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * List the accounts that the token can see.
         * @description Requires the ability `accounts:read`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
         */
        get: operations["listAccounts"];
        put?: never;
        /**
         * Create an account with a package or with custom limits.
         * @description Requires the ability `accounts:write`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * Check whether a username is available.
         * @description Requires the ability `accounts:read`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * Get the usage of up to 100 accounts.
         * @description Requires the ability `accounts:read`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * Get an account.
         * @description Requires the ability `accounts:read`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        /**
         * Terminate an account: delete it permanently with all its data.
         * @description Requires the ability `accounts:write`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * Get the usage of an account.
         * @description Requires the ability `accounts:read`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * Suspend an account: block its sites and logins.
         * @description Requires the ability `accounts:write`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * Unsuspend an account.
         * @description Requires the ability `accounts:write`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * Set the password of the panel login and of the Linux user.
         * @description Requires the ability `accounts:write`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * Move an account to another package and apply all limits of the package.
         * @description Requires the ability `accounts:write`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * Set the limits of an account. The package stays the same.
         * @description Requires the ability `accounts:write`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * Create a link, valid for 5 minutes, that signs the end user in to the panel.
         * @description Requires the ability `accounts:write`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * List the domains of one account or of all accounts that the token can see.
         * @description Requires the ability `domains:read`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
         */
        get: operations["listDomains"];
        put?: never;
        /**
         * Add a domain to an account and serve its site.
         * @description Requires the ability `domains:write`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * Get a domain.
         * @description Requires the ability `domains:read`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
         */
        get: operations["getDomain"];
        put?: never;
        post?: never;
        /**
         * Remove a domain and stop serving its site.
         * @description Requires the ability `domains:write`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * Request a certificate for a domain. It then renews automatically.
         * @description Requires the ability `domains:write`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * List the templates for new apps.
         * @description Requires the ability `apps:read`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * List the apps of one account or of all accounts that the token can see.
         * @description Requires the ability `apps:read`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
         */
        get: operations["listApps"];
        put?: never;
        /**
         * Install an app from a template.
         * @description Requires the ability `apps:write`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * Get an app with its environment variables. Secret values are hidden.
         * @description Requires the ability `apps:read`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
         */
        get: operations["getApp"];
        put?: never;
        post?: never;
        /**
         * Stop an app and delete it with its files.
         * @description Requires the ability `apps:write`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * Deploy a ZIP archive: replace the files of an app.
         * @description Requires the ability `apps:write`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * Deploy an app from its Git repository: pull and build.
         * @description Requires the ability `apps:write`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * List the databases of one account or of all accounts that the token can see.
         * @description Requires the ability `databases:read`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
         */
        get: operations["listDatabases"];
        put?: never;
        /**
         * Create a database with its own database user.
         * @description Requires the ability `databases:write`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * Get a database.
         * @description Requires the ability `databases:read`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
         */
        get: operations["getDatabase"];
        put?: never;
        post?: never;
        /**
         * Drop a database and its user.
         * @description Requires the ability `databases:write`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * Reset the password of a database. Only the panel shows the new password.
         * @description Requires the ability `databases:write`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * Allow an IP address to connect to a database remotely.
         * @description Requires the ability `databases:write`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * Revoke the remote access of an IP address to a database.
         * @description Requires the ability `databases:write`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * List the cron jobs of one account or of all accounts that the token can see.
         * @description Requires the ability `cron:read`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
         */
        get: operations["listCronJobs"];
        put?: never;
        /**
         * Add a cron job to an account.
         * @description Requires the ability `cron:write`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
         * Get a cron job.
         * @description Requires the ability `cron:read`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
         */
        get: operations["getCronJob"];
        put?: never;
        post?: never;
        /**
         * Remove a cron job.
         * @description Requires the ability `cron:write`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
         */
        delete: operations["removeCronJob"];
        options?: never;
        head?: never;
        /**
         * Update a cron job.
         * @description Requires the ability `cron:write`. Default rate limit: 60 requests per minute per user. The installation can set another limit.
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
            /** @description Disk space in MiB. */
            disk_mb: number;
            /** @description Bandwidth in MiB per calendar month (UTC). */
            bandwidth_mb: number;
            /** @description CPU in percent of one core (200 = two cores). */
            cpu_percent: number;
            /** @description Memory in MiB. */
            ram_mb: number;
            /** @description Disk read rate in MiB/s. Null: unlimited. */
            io_read_mbps: number | null;
            /** @description Disk write rate in MiB/s. Null: unlimited. */
            io_write_mbps: number | null;
            /** @description Disk operations per second. Null: unlimited. */
            iops: number | null;
            /** @description Maximum number of simultaneous processes. Null: unlimited. */
            max_processes: number | null;
            max_domains: number;
            max_databases: number;
            max_apps: number;
            max_cron_jobs: number;
            /** @description Whether the account has shell access. */
            terminal_access: boolean;
            /** @description Whether accounts of the package may connect to port 25 of other servers. Ports 465 and 587 are open to every account. */
            smtp_port_25: boolean;
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
                /** @description Disk space in MiB. */
                disk_mb: number;
            };
            /** @description ID of the package. When you create an account: null or omitted means custom limits. */
            package_id: number;
            /** @description Name of the Linux user on the hosting server. */
            linux_user: string;
            home_path: string;
            /** @description Limit of disk space in MiB. */
            disk_limit_mb: number;
            /** @description Limit of bandwidth in MiB per calendar month (UTC). */
            bandwidth_limit_mb: number;
            /** @description Limit of CPU in percent of one core (200 = two cores). */
            cpu_limit_percent: number;
            /** @description Limit of memory in MiB. */
            ram_limit_mb: number;
            /** @description Disk read rate in MiB/s. Null: unlimited. */
            io_read_mbps: number | null;
            /** @description Disk write rate in MiB/s. Null: unlimited. */
            io_write_mbps: number | null;
            /** @description Disk operations per second. Null: unlimited. */
            iops: number | null;
            /** @description Maximum number of simultaneous processes. Null: unlimited. */
            max_processes: number | null;
            max_domains: number;
            max_databases: number;
            max_apps: number;
            max_cron_jobs: number;
            /** @description Whether the account has shell access. */
            terminal_access: boolean;
            domains: {
                id: number;
                domain_name: string;
                /** @description Whether this is the primary domain of its account. An account has one primary domain: the first one, unless you choose another. */
                is_primary: boolean;
            }[];
            apps_count: number;
            /** @description Same value as `max_apps`. */
            apps_limit: number;
            /** @description Whether the hosting server has applied the newest state. */
            synced: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The hosting server. Only admins see this field. */
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
            /** @description Name of the primary domain. Null: the account has no domain. */
            primary_domain: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description The hosting server. Only admins see this field. */
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
            /** @description Rows per page. Default: 25. */
            per_page: number;
            to: number | null;
            total: number;
        };
        UsernameCheck: {
            username: string;
            available: boolean;
        };
        UsageSnapshot: {
            /** @description Disk space in use, in MiB. */
            disk_used_mb: number;
            /** @description Limit of disk space in MiB. */
            disk_limit_mb: number;
            /** @description Bandwidth used in the current calendar month (UTC), in MiB. */
            bandwidth_used_mb: number;
            /** @description Limit of bandwidth in MiB per calendar month (UTC). */
            bandwidth_limit_mb: number;
            /** @description CPU in use, in percent of one core (200 = two cores). */
            cpu_used_percent: number;
            /** @description Limit of CPU in percent of one core (200 = two cores). */
            cpu_limit_percent: number;
            /** @description Memory in use, in MiB. */
            ram_used_mb: number;
            /** @description Limit of memory in MiB. */
            ram_limit_mb: number;
            /** @description Time when the hosting server measured the usage. Null: not measured yet. */
            measured_at: string | null;
        };
        BulkUsage: {
            data: {
                [key: string]: components["schemas"]["UsageSnapshot"];
            };
            meta: {
                requested: number;
                returned: number;
                /** @description Requested IDs that do not exist or that the token cannot see. */
                missing_ids: number[];
            };
        };
        LoginLink: {
            /**
             * Format: uri
             * @description URL that the end user opens in a browser.
             */
            login_url: string;
            /** @description Lifetime in seconds. */
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
            /** @description ID of the account. */
            hosting_account_id: number;
            /** @description Whether this is the primary domain of its account. An account has one primary domain: the first one, unless you choose another. */
            is_primary: boolean;
            document_root: string;
            status: string;
            /** @description Reason for the status. Null: the status needs no explanation. */
            status_reason: string | null;
            /** @description The certificate of the domain. */
            ssl: {
                /** @enum {string} */
                status: "none" | "pending" | "active" | "failed";
                /** @description Issuer of the certificate. */
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
            /** @description ID of the account. */
            hosting_account_id: number;
            /** @description Whether this is the primary domain of its account. An account has one primary domain: the first one, unless you choose another. */
            is_primary: boolean;
            document_root: string;
            status: string;
            /** @description Reason for the status. Null: the status needs no explanation. */
            status_reason: string | null;
            /** @description The certificate of the domain. */
            ssl: {
                /** @enum {string} */
                status: "none" | "pending" | "active" | "failed";
                /** @description Issuer of the certificate. */
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
            /** @description Rows per page. Default: 25. */
            per_page: number;
            to: number | null;
            total: number;
        };
        AppTemplate: {
            key: string;
            name: string;
            description: string;
            icon: string;
            /** @description Whether an app of this template needs a domain. */
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
            /** @description Key of a template from `GET /app-templates`. */
            template_key: string;
            template_name: string;
            /** @enum {string} */
            status: "pending" | "installing" | "building" | "updating" | "starting" | "stopping" | "running" | "stopped" | "failed" | "removing";
        };
        AppListItem: {
            id: number;
            name: string;
            /** @description Key of a template from `GET /app-templates`. */
            template_key: string;
            template_name: string;
            /** @enum {string} */
            status: "pending" | "installing" | "building" | "updating" | "starting" | "stopping" | "running" | "stopped" | "failed" | "removing";
            /** @description ID of the account. */
            hosting_account_id: number;
            /** @description Reason for the status. Null: the status needs no explanation. */
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
            /** @description Key of a template from `GET /app-templates`. */
            template_key: string;
            template_name: string;
            /** @enum {string} */
            status: "pending" | "installing" | "building" | "updating" | "starting" | "stopping" | "running" | "stopped" | "failed" | "removing";
            /** @description ID of the account. */
            hosting_account_id: number;
            /** @description Reason for the status. Null: the status needs no explanation. */
            status_reason: string | null;
            domain?: {
                id: number;
                domain_name: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Node.js version. Only for templates that run on Node.js. */
            node_version: string | null;
            /** @description Start command. Only for templates that run on Node.js. */
            start_command: string | null;
            deploy_root: string;
            /** @description The last deployment. Null: the app has the first content of its template. */
            release: {
                id: number;
                /** @enum {string} */
                source: "zip" | "git";
                /** Format: date-time */
                created_at: string;
            } | null;
            /** @description The end of the log of the last failure. */
            last_error: string | null;
            /** @description The Git repository that the app is deployed from. */
            git: {
                repository: string;
                branch: string;
            } | null;
            /** @description Environment variables. The value of a secret is null. */
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
            /** @description Rows per page. Default: 25. */
            per_page: number;
            to: number | null;
            total: number;
        };
        Database: {
            id: number;
            /** @description ID of the account. */
            hosting_account_id: number;
            name: string;
            db_name: string;
            db_user: string;
            /** @description Host name that the account’s own programs use to connect to the database. */
            db_host: string;
            /** @enum {string} */
            status: "pending" | "active" | "suspended" | "failed" | "removing";
            /** @description Reason for the status. Null: the status needs no explanation. */
            status_reason: string | null;
            /** @description IP addresses that may connect to the database, in addition to its own server. Null: no other address. */
            allowed_ips: string[] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        DatabaseWithAccount: {
            id: number;
            /** @description ID of the account. */
            hosting_account_id: number;
            name: string;
            db_name: string;
            db_user: string;
            /** @description Host name that the account’s own programs use to connect to the database. */
            db_host: string;
            /** @enum {string} */
            status: "pending" | "active" | "suspended" | "failed" | "removing";
            /** @description Reason for the status. Null: the status needs no explanation. */
            status_reason: string | null;
            /** @description IP addresses that may connect to the database, in addition to its own server. Null: no other address. */
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
            /** @description Rows per page. Default: 25. */
            per_page: number;
            to: number | null;
            total: number;
        };
        CronJob: {
            id: number;
            /** @description ID of the account. */
            hosting_account_id: number;
            name: string;
            /** @description Cron expression with five fields, or a name such as `@hourly`. */
            schedule: string;
            /** @description Command on one line. The API refuses `;`, `|`, `&`, backticks, `$(`, `sudo`, `su` and redirects into system folders. */
            command: string;
            enabled: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        CronJobWithAccount: {
            id: number;
            /** @description ID of the account. */
            hosting_account_id: number;
            name: string;
            /** @description Cron expression with five fields, or a name such as `@hourly`. */
            schedule: string;
            /** @description Command on one line. The API refuses `;`, `|`, `&`, backticks, `$(`, `sudo`, `su` and redirects into system folders. */
            command: string;
            enabled: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            hosting_account: components["schemas"]["HostingAccount"];
            /** @description Whether the hosting server has applied the newest state. */
            synced: boolean;
        };
        CronJobList: {
            current_page: number;
            data: components["schemas"]["CronJob"][];
            from: number | null;
            last_page: number;
            /** @description Rows per page. Default: 25. */
            per_page: number;
            to: number | null;
            total: number;
        };
        Message: {
            message: string;
        };
        ValidationError: {
            message: string;
            /** @description Error messages of each refused field, by field name. */
            errors: {
                [key: string]: string[];
            };
        };
        ServiceError: {
            error: string;
        };
        Failure: {
            message: string;
            /** @description ID of the request in the log. */
            request_id: string;
        };
        CreateAccountRequest: {
            username: string;
            name: string;
            /** Format: email */
            email: string;
            /** Format: password */
            password: string;
            /** @description ID of the package. When you create an account: null or omitted means custom limits. */
            package_id: number;
            /** @description Limit of disk space in MiB. */
            disk_limit_mb?: number;
            /** @description Limit of bandwidth in MiB per calendar month (UTC). */
            bandwidth_limit_mb?: number;
            /** @description Limit of CPU in percent of one core (200 = two cores). */
            cpu_limit_percent?: number;
            /** @description Limit of memory in MiB. */
            ram_limit_mb?: number;
            /** @description Disk read rate in MiB/s. Null: unlimited. */
            io_read_mbps?: number | null;
            /** @description Disk write rate in MiB/s. Null: unlimited. */
            io_write_mbps?: number | null;
            /** @description Disk operations per second. Null: unlimited. */
            iops?: number | null;
            /** @description Maximum number of simultaneous processes. Null: unlimited. */
            max_processes?: number | null;
            max_domains?: number;
            max_databases?: number;
            max_apps?: number;
            /** @description Whether the account has shell access. */
            terminal_access?: boolean;
        } | {
            username: string;
            name: string;
            /** Format: email */
            email: string;
            /** Format: password */
            password: string;
            /** @description ID of the package. When you create an account: null or omitted means custom limits. */
            package_id?: null;
            /** @description Limit of disk space in MiB. */
            disk_limit_mb: number;
            /** @description Limit of bandwidth in MiB per calendar month (UTC). */
            bandwidth_limit_mb: number;
            /** @description Limit of CPU in percent of one core (200 = two cores). */
            cpu_limit_percent: number;
            /** @description Limit of memory in MiB. */
            ram_limit_mb: number;
            /** @description Disk read rate in MiB/s. Null: unlimited. */
            io_read_mbps?: number | null;
            /** @description Disk write rate in MiB/s. Null: unlimited. */
            io_write_mbps?: number | null;
            /** @description Disk operations per second. Null: unlimited. */
            iops?: number | null;
            /** @description Maximum number of simultaneous processes. Null: unlimited. */
            max_processes?: number | null;
            max_domains: number;
            max_databases: number;
            max_apps: number;
            /** @description Whether the account has shell access. */
            terminal_access?: boolean;
        };
        SetAccountPasswordRequest: {
            /** Format: password */
            password: string;
        };
        ChangeAccountPackageRequest: {
            /** @description ID of the package. When you create an account: null or omitted means custom limits. */
            package_id: number;
        };
        SetAccountResourcesRequest: {
            /** @description Limit of disk space in MiB. */
            disk_limit_mb: number;
            /** @description Limit of bandwidth in MiB per calendar month (UTC). */
            bandwidth_limit_mb: number;
            /** @description Limit of CPU in percent of one core (200 = two cores). */
            cpu_limit_percent: number;
            /** @description Limit of memory in MiB. */
            ram_limit_mb: number;
            /** @description Disk read rate in MiB/s. Null: unlimited. */
            io_read_mbps?: number | null;
            /** @description Disk write rate in MiB/s. Null: unlimited. */
            io_write_mbps?: number | null;
            /** @description Disk operations per second. Null: unlimited. */
            iops?: number | null;
            /** @description Maximum number of simultaneous processes. Null: unlimited. */
            max_processes?: number | null;
            max_domains: number;
            max_databases: number;
            max_apps: number;
            /** @description Whether the account has shell access. */
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
            /** @description ID of the account. */
            hosting_account_id: number;
            /** Format: hostname */
            domain_name: string;
            /** @description Whether this is the primary domain of its account. An account has one primary domain: the first one, unless you choose another. */
            is_primary?: boolean;
            /** @description Lets an admin use a domain that the provider reserves, or a parent or subdomain of a reserved domain or of another account’s domain. */
            allow_overlap?: boolean;
        };
        InstallSslRequest: {
            /** Format: email */
            email?: string;
        };
        CreateAppRequest: {
            /** @description ID of the account. */
            hosting_account_id: number;
            /** @description Key of a template from `GET /app-templates`. */
            template_key: string;
            name: string;
            domain_id?: number;
            /** @description Node.js version. Only for templates that run on Node.js. */
            node_version?: string;
            /** @description Start command. Only for templates that run on Node.js. */
            start_command?: string;
            /** @description Environment variables, by name. */
            env?: {
                [key: string]: string | number | boolean | null;
            };
            /** @description The Git repository that the app is deployed from. */
            git?: {
                repository: string;
                /** @default main */
                branch: string;
                /**
                 * Format: password
                 * @description Private key with read access to the repository. The API never returns it.
                 */
                deploy_key?: string;
            };
        };
        CreateDatabaseRequest: {
            /** @description ID of the account. */
            hosting_account_id: number;
            name?: string;
        };
        AllowDatabaseIpRequest: {
            ip: string | unknown | unknown;
        };
        CreateCronJobRequest: {
            /** @description ID of the account. */
            hosting_account_id: number;
            name?: string;
            /** @description Cron expression with five fields, or a name such as `@hourly`. */
            schedule: string;
            /** @description Command on one line. The API refuses `;`, `|`, `&`, backticks, `$(`, `sudo`, `su` and redirects into system folders. */
            command: string;
        };
        UpdateCronJobRequest: {
            name?: string;
            /** @description Cron expression with five fields, or a name such as `@hourly`. */
            schedule: string;
            /** @description Command on one line. The API refuses `;`, `|`, `&`, backticks, `$(`, `sudo`, `su` and redirects into system folders. */
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
        /** @description The token lacks the ability, its IP allowlist excludes the client, or the record forbids the request. */
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
        /** @description The record does not exist, or the token cannot see it. */
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
        /** @description Another request with the same Idempotency-Key is in progress. */
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
        /** @description The request body is too large. */
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
        /** @description The API refused one or more fields (`message` and `errors`), a limit is reached (`error`), or the change is not possible (`message`). */
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
        /** @description Internal error, or a permanent failure on the hosting server. */
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
        /** @description The database is unreachable, or the request timed out. */
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
        /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: {
        /** @description ID of the request in the log. */
        "X-Request-Id": string;
        /** @description Number of requests allowed per window of one minute. */
        "X-RateLimit-Limit": number;
        /** @description Number of requests left in this window. */
        "X-RateLimit-Remaining": number;
        /** @description Start of the next window, in seconds since 1970-01-01 UTC (Unix time). */
        "X-RateLimit-Reset": number;
        /** @description Seconds until the next window starts. */
        "Retry-After": number;
        /** @description Authentication scheme of the API. */
        "WWW-Authenticate": "Bearer";
        /** @description Present if this is the stored response to an earlier request with the same Idempotency-Key. */
        "Idempotent-Replayed": "true";
        /** @description Path of the panel page. */
        Location: string;
        /** @description Session cookie of the panel. */
        "Set-Cookie": string;
        /** @description Prevents the browser from sending the link to other sites. */
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
            /** @description Success. */
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
            /** @description Success. */
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
            /** @description The database is unreachable, or the request timed out. */
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
            /** @description Success. */
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
            /** @description Redirect to a page of the panel, with a new session. */
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
            /** @description Success. */
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
                     *       "data": [
                     *         {
                     *           "id": 1,
                     *           "name": "Starter",
                     *           "slug": "starter",
                     *           "disk_mb": 5120,
                     *           "bandwidth_mb": 51200,
                     *           "cpu_percent": 100,
                     *           "ram_mb": 1024,
                     *           "io_read_mbps": 50,
                     *           "io_write_mbps": 50,
                     *           "iops": null,
                     *           "max_processes": 100,
                     *           "max_domains": 5,
                     *           "max_databases": 3,
                     *           "max_apps": 2,
                     *           "max_cron_jobs": 5,
                     *           "terminal_access": false,
                     *           "smtp_port_25": false,
                     *           "is_active": true
                     *         }
                     *       ]
                     *     }
                     */
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
            /** @description Success. */
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
                     *         "id": 1,
                     *         "name": "Starter",
                     *         "slug": "starter",
                     *         "disk_mb": 5120,
                     *         "bandwidth_mb": 51200,
                     *         "cpu_percent": 100,
                     *         "ram_mb": 1024,
                     *         "io_read_mbps": 50,
                     *         "io_write_mbps": 50,
                     *         "iops": null,
                     *         "max_processes": 100,
                     *         "max_domains": 5,
                     *         "max_databases": 3,
                     *         "max_apps": 2,
                     *         "max_cron_jobs": 5,
                     *         "terminal_access": false,
                     *         "smtp_port_25": false,
                     *         "is_active": true
                     *       }
                     *     }
                     */
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
                /** @description Page number, starting at 1. Invalid values are treated as 1. */
                page?: number;
                /** @description Rows per page. Default: 25. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
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
            /** @description Success. */
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
                /** @description ID of the account. */
                "hosting_account_id[]": number[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Comma-separated list: `apps` adds up to 10 apps, `usage` adds the usage snapshot. */
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
            /** @description Success. */
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
                /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
            /** @description Success. */
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
                /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
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
            /** @description Success. */
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
                /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
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
            /** @description Success. */
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
                /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
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
            /** @description Success. */
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
                /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
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
            /** @description Success. */
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
                /** @description ID of the account. */
                hosting_account_id?: number;
                /** @description Page number, starting at 1. Invalid values are treated as 1. */
                page?: number;
                /** @description Rows per page. Default: 25. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
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
            /** @description Success. */
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
                /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
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
            /** @description Success. */
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
            /** @description Success. */
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
                /** @description ID of the account. */
                hosting_account_id?: number;
                /** @description Page number, starting at 1. Invalid values are treated as 1. */
                page?: number;
                /** @description Rows per page. Default: 25. */
                per_page?: number;
                status?: "pending" | "installing" | "building" | "updating" | "starting" | "stopping" | "running" | "stopped" | "failed" | "removing";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
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
            /** @description Success. */
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
                /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
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
                     * @description A ZIP archive of at most 512 MiB.
                     */
                    archive: string;
                };
            };
        };
        responses: {
            /** @description Success. */
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
                            /** @description Size of the archive in bytes. */
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
                /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description ID of the account. */
                hosting_account_id?: number;
                /** @description Page number, starting at 1. Invalid values are treated as 1. */
                page?: number;
                /** @description Rows per page. Default: 25. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
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
            /** @description Success. */
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
                /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
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
            /** @description Success. */
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
                /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
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
            /** @description Success. */
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
                /** @description ID of the account. */
                hosting_account_id?: number;
                /** @description Page number, starting at 1. Invalid values are treated as 1. */
                page?: number;
                /** @description Rows per page. Default: 25. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
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
            /** @description Success. */
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
                /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
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
                /** @description Makes a write idempotent for 24 hours, so that a retry is safe. The same key with the same request returns the first response again. The same key with a different request returns 422. A retry while the first request is in progress returns 409. */
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
            /** @description Success. */
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
