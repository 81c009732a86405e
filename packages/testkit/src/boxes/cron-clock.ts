import type { Guest } from './guest.ts';

/**
 * The clock of a guest's cron, so that a test does not wait for the next minute. Debian's cron reads the time through
 * libfaketime, with an offset from a file; `passMinute` increases the offset to the next full minute. Its own monotonic
 * clock, the times of files, and the speed of time stay real. Cron gives its jobs an environment of their own, so the
 * preload does not reach them: a job, PID 1 and every other process have the real time.
 */
export interface CronClock {
  /** Lets cron come to its next minute, in which it starts the jobs of that minute. */
  passMinute(): Promise<void>;
}

const MACHINE = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
/** Debian's package libfaketime, installed on this machine (scripts/lib/script.sh). */
const LIBRARY = `/usr/lib/${MACHINE}-linux-gnu/faketime/libfaketime.so.1`;
const LIBRARY_IN_GUEST = '/usr/local/lib/libfaketime.so.1';
const OFFSET_FILE = '/run/cron-clock';
const DROP_IN = `[Service]
Environment=LD_PRELOAD=${LIBRARY_IN_GUEST}
Environment=FAKETIME_TIMESTAMP_FILE=${OFFSET_FILE}
Environment=FAKETIME_NO_CACHE=1
Environment=FAKETIME_DONT_FAKE_MONOTONIC=1
Environment=NO_FAKE_STAT=1
`;
/** Sets the offset to the next full minute, from the offset before or from 0. */
const NEXT_MINUTE = `
offset=$(cat ${OFFSET_FILE} 2>/dev/null || echo 0)
echo "+$((offset + 60 - ($(date +%s) + offset) % 60))" > ${OFFSET_FILE}.new
mv ${OFFSET_FILE}.new ${OFFSET_FILE}`;
/**
 * SIGCHLD ends cron's sleep as the end of a job does. It is sent repeatedly because cron may be awake when the first
 * one arrives, and may fall asleep then.
 */
const PASS_MINUTE = `${NEXT_MINUTE}
cron=$(systemctl show --property=MainPID --value cron)
for _ in 1 2 3; do kill -s CHLD "$cron"; sleep 0.1; done`;

/**
 * Restarts the guest's cron with its own clock, at the beginning of a minute: for almost a minute of real time no job
 * starts before `passMinute` is called.
 */
export async function startCronClock(guest: Guest): Promise<CronClock> {
  await guest.copyIn(LIBRARY, LIBRARY_IN_GUEST);
  await guest.writeFile('/etc/systemd/system/cron.service.d/test-clock.conf', DROP_IN);
  await guest.require(['systemctl', 'daemon-reload']);
  await guest.require(['sh', '-ec', `${NEXT_MINUTE}\nsystemctl restart cron`]);
  return {
    passMinute: async () => void (await guest.require(['sh', '-ec', PASS_MINUTE])),
  };
}
