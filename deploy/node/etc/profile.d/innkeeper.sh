# Managed by Innkeeper: replaced by every installation of the agent, removed with it.
# node, npm and npx for hosting accounts, behind what the server or the account has itself.
if [ "$(id -u)" -ge 20000 ]; then PATH=$PATH:/usr/lib/innkeeper/bin; fi
