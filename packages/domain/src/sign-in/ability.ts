export const abilities = [
  'accounts:read',
  'accounts:write',
  'packages:read',
  'packages:write',
  'domains:read',
  'domains:write',
  'apps:read',
  'apps:write',
  'databases:read',
  'databases:write',
  'cron:read',
  'cron:write',
] as const;
export type Ability = (typeof abilities)[number];

export const tokenPresets = ['read_only', 'provisioning', 'full_access', 'custom'] as const;
export type TokenPreset = (typeof tokenPresets)[number];

const provisioned = ['accounts', 'packages', 'domains', 'apps', 'databases'];

/** The abilities of a preset (spec, Authentication 3). `custom` has none of its own. */
export function presetAbilities(preset: TokenPreset): Ability[] {
  switch (preset) {
    case 'read_only':
      return abilities.filter((ability) => ability.endsWith(':read'));
    case 'provisioning':
      return abilities.filter((ability) => provisioned.includes(ability.split(':')[0] ?? ''));
    case 'full_access':
      return [...abilities];
    case 'custom':
      return [];
  }
}

/** Whether a token with these abilities has `ability`. An empty list has none. */
export function hasAbility(granted: readonly string[], ability: Ability): boolean {
  return granted.includes('*') || granted.includes(ability);
}
