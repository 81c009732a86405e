# shellcheck shell=bash
# Placing and removing files. Sourced by install.sh.
#
# STATE/files lists every file that an installation placed, and STATE/folders every folder that it created for them.
# Upgrades and --uninstall remove files by these lists. CHANGED_FILES has the files that this run wrote or removed.

CHANGED_FILES=''
HEADER='Managed by Innkeeper'

# changed PREFIX...: whether this run changed a file whose path begins with one of these.
changed() {
  local prefix
  for prefix in "$@"; do
    case $CHANGED_FILES in *"
$prefix"*) return 0 ;; esac
  done
  return 1
}

# is_foreign FROM TO: whether the file TO, which FROM would replace, does not belong to Innkeeper.
is_foreign() { [ -e "$2" ] && grep -q "$HEADER" "$1" && ! grep -q "$HEADER" "$2"; }

# place FROM TO: copies FROM to TO with its mode, owned by root.
place() {
  local from=$1 to=$2 mode
  mode=$([ -x "$from" ] && echo 755 || echo 644)
  ! is_foreign "$from" "$to" ||
    fail "$to is in the way: this file does not belong to Innkeeper. Move it to another folder and run the installer again."
  if [ -f "$to" ] && [ ! -L "$to" ] && cmp -s "$from" "$to" && [ "$(stat -c '%a %u %g' "$to")" = "$mode 0 0" ]; then
    return 0
  fi
  make_folder "$(dirname "$to")"
  install -m "$mode" -o root -g root "$from" "$to.innkeeper-new"
  mv -fT "$to.innkeeper-new" "$to"
  CHANGED_FILES="$CHANGED_FILES
$to"
}

make_folder() {
  [ ! -d "$1" ] || return 0
  make_folder "$(dirname "$1")"
  printf '%s\n' "$1" >>"$STATE/folders"
  mkdir "$1"
}

# Removes the folders that this installation created and that are empty.
remove_empty_folders() {
  local folder
  [ -e "$STATE/folders" ] || return 0
  while IFS= read -r folder; do
    [ ! -d "$folder" ] || rmdir --ignore-fail-on-non-empty -- "$folder"
  done < <(sort -ru "$STATE/folders")
}

# Places the files of the release, and removes the files of an earlier release that this one does not have.
place_files() {
  local file list=$STATE/files
  mkdir -p "$STATE"
  touch "$list"
  # List the files before placing them: the next run then knows what an interrupted run placed.
  (cd "$SOURCE/files" && find . -type f -printf '/%P\n' | sort) >"$list.release"
  sort -u "$list" "$list.release" >"$list.new"
  mv -fT "$list.new" "$list"
  while IFS= read -r file; do
    place "$SOURCE/files$file" "$file"
  done <"$list.release"
  while IFS= read -r file; do
    # The nginx that runs shows the pages of the release before, until it is reloaded.
    case $file in /usr/share/innkeeper/pages/*) ;; *) remove_file "$file" ;; esac
  done < <(comm -23 "$list" "$list.release")
  [ -z "$CHANGED_FILES" ] || did "$(printf '%s' "$CHANGED_FILES" | grep -c .) files written or removed"
}

# Ends what place_files began.
remove_old_pages() {
  local file list=$STATE/files
  while IFS= read -r file; do
    remove_file "$file"
  done < <(comm -23 "$list" "$list.release")
  mv -fT "$list.release" "$list"
}

remove_file() {
  [ -e "$1" ] || [ -L "$1" ] || return 0
  rm -f -- "$1"
  CHANGED_FILES="$CHANGED_FILES
$1"
}

# swap_link TARGET LINK: points LINK to TARGET atomically, so the link never disappears.
swap_link() {
  [ "$(readlink "$2" 2>/dev/null)" != "$1" ] || return 1
  mkdir -p "$(dirname "$2")"
  ln -sfnT "$1" "$2.innkeeper-new"
  mv -fT "$2.innkeeper-new" "$2"
}
