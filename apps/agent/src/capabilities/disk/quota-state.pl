# QUOTACTL DEVICE PROGRAM...: prints the kernel's quota state of a device, then executes the program. `quotaon -p` is not enough:
# it prints `on` for an ext4 that only counts. QUOTACTL is the number of the system call.
use strict;
my ($quotactl, $device, @program) = @ARGV;
my $state = "\0" x 256;
# Q_XGETQSTAT of users: after a byte and its padding come flags.
my $failed = syscall($quotactl + 0, 0x5805 << 8, $device, 0, $state) == -1;
$| = 1;
printf "flags %d\n", $failed ? 0 : unpack 'x2 S', $state;
exec { $program[0] } @program or exit 127;
