import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cronCommandRules } from './cron-command.ts';

const cronCommandRefusals = (command: string) =>
  cronCommandRules.map((rule) => rule(command)).filter((sentence) => sentence !== undefined);

const chaining = 'The :attribute field must not contain ";", "|", "&", a backtick or "$(".';
const privilege = 'The :attribute field must not run su or sudo.';
const systemPath = 'The :attribute field must not redirect into a system path.';

test.each([
  'php /home/alice/domains/a.example/public_html/cron.php',
  'php artisan schedule:run > /dev/null 2> /dev/null',
  'php x.php >/dev/null',
  'php x.php 2>"/dev/null"',
  `curl -s "https://a.example/cron?key=\${KEY}" > ~/cron.log`,
  'date +%F >> /home/alice/log',
  'date > logs/x',
  `date > \${HOME}/x`,
  'date > "$HOME/my logs/x"',
  'date > /tmp/x',
  'date > /etcetera',
  'sort < /etc/hostname',
  'cat /etc/hostname /usr/share/x',
  '/usr/bin/php7.4 -d a=b x.php',
  'visudo',
  'sudoku --solve',
  'echo result sum issue',
  '/home/su/run.sh',
  'echo $HOME $',
  'echo "a (b)"',
  "bash -lc 'php x.php > /dev/null'",
])('%s is allowed', (command) => {
  expect(cronCommandRefusals(command)).toEqual([]);
});

test.each([
  'a; b',
  'a | b',
  'a || b',
  'a && b',
  'a &',
  'a 2>&1',
  'echo `id`',
  'echo $(id)',
  'echo "a;b"',
  "echo '$(id)'",
])('%s chains commands', (command) => {
  expect(cronCommandRefusals(command)).toEqual([chaining]);
});

test.each([
  'sudo ls',
  'su',
  'su - root',
  '/usr/bin/sudo -n ls',
  '//bin/su',
  './sudo',
  'env sudo ls',
  'nice -n 5 su root',
  '"sudo" ls',
  "s'ud'o ls",
  '\\sudo ls',
  's\\u',
  'sh -c "sudo ls"',
  "sh -c 'exec su'",
  '(sudo ls)',
  'cat <sudo',
])('%s runs su or sudo', (command) => {
  expect(cronCommandRefusals(command)).toEqual([privilege]);
});

const folders =
  '/etc /usr /bin /sbin /lib /lib64 /libexec /boot /root /proc /sys /opt /srv /run /var /dev'.split(' ');
test.each(folders)('nothing is redirected to %s or below it', (folder) => {
  for (const target of [folder, `${folder}/`, `${folder}/x`, `/${folder}/x`, `/./${folder}/x`]) {
    expect(cronCommandRefusals(`echo x > ${target}`), target).toEqual([systemPath]);
    expect(cronCommandRefusals(`echo x >>${target}`), target).toEqual([systemPath]);
  }
});

test.each([
  'echo x 2>/etc/x',
  'echo x <>/etc/x',
  'echo x>/etc/x',
  'echo x > "/etc/x"',
  "echo x > '/etc/x y'",
  'echo x > /e"t"c/x',
  'echo x > \\/etc/x',
  'echo x > /home/../etc/x',
  'echo x > ../../etc/x',
  'echo x > ~/../../etc/x',
  `echo x > \${HOME}/../../etc/x`,
  'echo x > /home/alice/y > /var/x',
  'echo x > /dev/null > /dev/sda',
  'echo x > /dev/null/../sda',
  'sh -c "echo x > /etc/x"',
])('%s redirects into a system path', (command) => {
  expect(cronCommandRefusals(command)).toEqual([systemPath]);
});

test('every broken rule has its sentence', () => {
  expect(cronCommandRefusals('sudo tee x > /etc/y; ls')).toEqual([chaining, privilege, systemPath]);
});

test('a command of plain words is allowed, and one forbidden word more makes it refused', () => {
  const word = fc
    .stringMatching(/^[A-Za-z0-9_./=%?+:,-]{1,12}$/)
    .filter((text) => !/(?:^|\/)(?:su|sudo)$/.test(text));
  const commands = fc.array(word, { minLength: 1, maxLength: 8 });
  const bad = fc.constantFrom('sudo', '/bin/su', ';', '|', '&', '`', '$(', '>/etc/x', '2>>/usr/x', '"su"');
  fc.assert(
    fc.property(commands, bad, fc.nat(), (words, addition, at) => {
      expect(cronCommandRefusals(words.join(' '))).toEqual([]);
      expect(
        cronCommandRefusals(words.toSpliced(at % (words.length + 1), 0, addition).join(' ')),
      ).toHaveLength(1);
    }),
  );
});

test('any 2,000 characters are checked in a short time', () => {
  for (const unit of ['>', '"', '>"', '>\'"', '\\', '> ', '/', '>/', '$HOME'])
    expect(cronCommandRefusals(unit.repeat(2_000 / unit.length)).length).toBeLessThanOrEqual(3);
});
