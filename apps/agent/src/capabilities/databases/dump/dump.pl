# Exports or imports a database of an account. Runs as the account, in its slice, as the user of the database.
#
#   perl innkeeper-dump.pl export|import|import-gzip DATABASE
#
# Standard input has the length of an option file with the password (32 bits, big endian), that file, and then the SQL of
# an import. export writes the SQL with gzip, and ends with 0 only if it is complete. import writes "ok", or the error.
use strict;
use warnings;
use Fcntl qw(F_SETFD);

use constant { MAX_OPTIONS_BYTES => 4_096, MAX_ERROR_BYTES => 2_000 };

my ($mode, $database) = @ARGV;
my ($length) = unpack 'N', read_exactly(4);
die "an option file of $length bytes\n" if $length > MAX_OPTIONS_BYTES;
# The client reads its password from a pipe: no argument, variable or file has it.
pipe my $reader, my $writer or die "pipe: $!\n";
syswrite $writer, read_exactly($length);
close $writer;
fcntl $reader, F_SETFD, 0 or die "pipe: $!\n";
my @options = ('--defaults-extra-file=/dev/fd/' . fileno($reader), '--default-character-set=utf8mb4');

exit($mode eq 'export' ? export() : import_sql());

sub export {
  pipe my $sql, my $out or die "pipe: $!\n";
  my $dump = fork // die "fork: $!\n";
  if ($dump == 0) {
    open STDOUT, '>&', $out or die "stdout: $!\n";
    close $_ for $sql, $out;
    exec { program('mariadb-dump', 'mysqldump') } 'mariadb-dump', @options, '--single-transaction', '--quick', '--skip-lock-tables',
      '--no-tablespaces', '--triggers', '--events', '--routines', '--hex-blob', '--', $database
      or die "mariadb-dump: $!\n";
  }
  close $out;
  my $gzip = fork // die "fork: $!\n";
  if ($gzip == 0) {
    open STDIN, '<&', $sql or die "stdin: $!\n";
    close $sql;
    exec '/bin/gzip', '-c', '-3' or die "gzip: $!\n";
  }
  close $sql;
  close STDOUT;
  my $failed = 0;
  for my $child ($dump, $gzip) { $failed = 1 if waitpid($child, 0) != $child || $? != 0 }
  return $failed;
}

sub import_sql {
  my $input = \*STDIN;
  if ($mode eq 'import-gzip') { open $input, '-|', '/bin/gzip', '-dc' or die "gzip: $!\n" }
  pipe my $errors, my $said or die "pipe: $!\n";
  pipe my $sql, my $out or die "pipe: $!\n";
  my $client = fork // die "fork: $!\n";
  if ($client == 0) {
    open STDIN, '<&', $sql or die "stdin: $!\n";
    open STDOUT, '>', '/dev/null' or die "stdout: $!\n";
    open STDERR, '>&', $said or die "stderr: $!\n";
    close $_ for $errors, $said, $sql, $out;
    # Without binary-mode a line of the file could be a command of the client, such as one that runs a program.
    exec { program('mariadb', 'mysql') } 'mariadb', @options, '--batch', '--binary-mode', '--max-allowed-packet=256M', $database
      or die "mariadb: $!\n";
  }
  close $_ for $said, $sql;
  local $SIG{PIPE} = 'IGNORE';
  while (my $line = <$input>) {
    # Views and triggers belong to whoever imports them: another user's are refused.
    if ($line =~ m{^(?:/\*!|CREATE\b)}) {
      $line =~ s{/\*!5001[37] (?:DEFINER=\S+ SQL SECURITY \w+|DEFINER=\S+) \*/}{}g;
      $line =~ s{\bDEFINER=(?:`[^`]*`|\S+?)@(?:`[^`]*`|\S+) }{}g;
    }
    print {$out} $line or last;
  }
  my $is_whole = $mode ne 'import-gzip' || close $input;
  close $out;
  local $/ = undef;
  my $text = <$errors> // '';
  waitpid $client, 0;
  my $failed = $? != 0;
  $text =~ s/^.*Using a password on the command line.*\n//m;
  if (!$failed && $is_whole) { print "ok\n" }
  elsif (!$failed) { print "The file is not complete, or no gzip archive.\n" }
  else { print substr($text, 0, MAX_ERROR_BYTES) || "The database server ended the import.\n" }
  return 0;
}

# The names in MariaDB and in MySQL.
sub program {
  for my $name (@_) { return "/usr/bin/$name" if -x "/usr/bin/$name" }
  die "There is no @_ on this server.\n";
}

sub read_exactly {
  my ($wanted) = @_;
  my $bytes = '';
  while (length $bytes < $wanted) {
    sysread(STDIN, $bytes, $wanted - length $bytes, length $bytes) or die "The input is cut off.\n";
  }
  return $bytes;
}
