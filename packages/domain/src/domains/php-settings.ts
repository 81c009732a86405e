/** The settings of PHP that the owner of a site may change, their defaults and their bounds. */

/** The settings that are numbers. The bounds are inclusive, and `max` is what nginx and agents can keep. */
export const phpNumbers = {
  /** memory_limit, in MiB. */
  memory_limit_mb: { min: 32, max: 16_384 },
  /** upload_max_filesize and post_max_size, in MiB. nginx takes no larger body. */
  upload_mb: { min: 1, max: 256 },
  /** max_execution_time, in seconds of CPU time. nginx waits no longer for an answer. */
  execution_s: { min: 1, max: 300 },
  /** max_input_vars. */
  input_vars: { min: 100, max: 100_000 },
} as const;
export type PhpNumber = keyof typeof phpNumbers;
export const phpNumberNames = Object.keys(phpNumbers) as PhpNumber[];

/** What the operator allows on the whole installation. */
export type PhpLimits = Record<PhpNumber, number> & { display_errors: boolean };

/** The limits of an installation whose operator has set none. */
export const initialPhpLimits: PhpLimits = {
  memory_limit_mb: 4_096,
  upload_mb: phpNumbers.upload_mb.max,
  execution_s: phpNumbers.execution_s.max,
  input_vars: 20_000,
  display_errors: true,
};

/** What applies to a site of an account with `ramMb` of memory if its owner sets nothing. The time zone is the server's. */
export function phpDefaults(ramMb: number): Record<PhpNumber, number> & { display_errors: boolean } {
  return {
    memory_limit_mb: Math.min(ramMb, Math.max(64, Math.min(512, Math.floor(ramMb / 2)))),
    upload_mb: 256,
    execution_s: 30,
    input_vars: 1_000,
    display_errors: false,
  };
}

/** A name of the IANA database: no character of it has a meaning in a configuration file of PHP. */
export const TIME_ZONE_PATTERN =
  /^(?=.{1,64}$)[A-Za-z]+(?:[_-][A-Za-z]+)*(?:\/[A-Za-z]+(?:[_-][A-Za-z]+)*)*$/;

/** Names that Node.js has and a current Debian does not, with the current name. */
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** The time zones that a site can have, in alphabetical order. */
export const phpTimeZones: readonly string[] = [
  ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map((zone) => renamed[zone] ?? zone)]),
].sort();
