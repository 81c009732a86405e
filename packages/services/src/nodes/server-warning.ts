import type { ServerWarning } from '@innkeeper/protocol';

export type { ServerWarning };

const sentences: Readonly<Record<ServerWarning, string>> = {
  FIREWALL_MISSING:
    'The firewall of accounts is not in place: accounts reach cloud metadata, the control plane and port 25 of other servers. Run "systemctl status innkeeper-firewall" on the server, and install the package nftables if it is missing.',
  PTRACE_UNRESTRICTED:
    'A process can trace every other process of its account. Set kernel.yama.ptrace_scope to 1 on the server, or use a kernel with Yama.',
  LINKS_UNPROTECTED:
    'The kernel does not protect links and pipes in shared folders. Set fs.protected_symlinks and fs.protected_hardlinks to 1, and fs.protected_fifos and fs.protected_regular to 2.',
  FOLDER_OPEN:
    'Others can write to a folder of the agent, so the agent changes nothing in it. The log of the agent names the folder: give it to root and close it for writing.',
  PROCESSES_VISIBLE:
    'Accounts see the processes of other accounts. Run "systemctl restart innkeeper-proc" on the server.',
  DISK_QUOTA_MISSING:
    'Disk limits of accounts are measured and not enforced. Turn on quotas of users on the file system of /home, then restart the agent.',
  IO_LIMITS_MISSING:
    'Limits of reading and writing are not enforced: the server has no block device below /home, or no io controller of cgroups.',
  LEDGER_DAMAGED:
    'A file of the ledger is damaged, and its account is not looked after. Change any setting of the account to have it sent again, then remove the file from ledger/quarantine on the server.',
  HOMES_UNWATCHED:
    'Changes of the access of homes are found only every few minutes. The log of the agent says why: mostly fs.inotify.max_user_watches or max_user_instances is too low.',
  DISK_FULL:
    'A disk of the server has no space, or no room for more files: sites answer, and changes of accounts wait. The log of the agent names the file system. Free some space there, for example in /var/log; what waits is then done.',
  NGINX_DOWN:
    'nginx does not run: the sites of this server do not answer. The agent starts it again. If it fails, run "nginx -t" and "systemctl status nginx" on the server.',
  DATABASE_SERVER_DOWN:
    'The database server does not run: sites with a database fail. The agent starts it again. If it fails, run "systemctl status mariadb" on the server.',
  CRON_DOWN:
    'cron does not run: no cron job of an account starts. The agent starts it again. If it fails, run "systemctl status cron" on the server.',
  MAIL_DOWN:
    'Accounts cannot send mail. The log of the agent says why: mostly Postfix is missing or does not run. Run the installer of the agent again, or "systemctl status innkeeper-postfix innkeeper-mail.socket" on the server.',
  SSHD_DOWN:
    'sshd does not run: nobody can sign in to the server. The agent starts it again. If it fails, run "systemctl status ssh" on the server.',
};

/** Explains a warning code and what to do. An unknown code of a newer agent is shown unchanged. */
export function serverWarningSentence(code: string): string {
  return Object.hasOwn(sentences, code)
    ? sentences[code as ServerWarning]
    : `The server reports ${code}, which this release of the control plane does not know.`;
}
