/**
 * A stored domain name: lowercase ASCII, no trailing dot, at least two labels, the last one alphabetic
 * or punycode. The agent lets nothing else near a configuration file.
 */
export const DOMAIN_NAME_PATTERN =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,57}[a-z0-9])$/;
