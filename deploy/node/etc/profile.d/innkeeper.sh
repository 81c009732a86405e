# Managed by Innkeeper: replaced by every installation of the agent, removed with it.
# node, npm and npx for hosting accounts, at the end of PATH: versions of the server or the account come first.
if [ "$(id -u)" -ge 20000 ]; then PATH=$PATH:/usr/lib/innkeeper/bin; fi
