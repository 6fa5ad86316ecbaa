import type { LicensePolicyInput, LicenseRule, LicenseVerdict } from '../../../api/resources.ts'

interface Preset {
  readonly name: string
  /** The licenses that it reports, and how severely. */
  readonly meaning: string
  readonly policy: LicensePolicyInput
}

/** Covers software that is offered as a service. */
const networkCopyleft = [
  'AGPL-1.0-only',
  'AGPL-1.0-or-later',
  'AGPL-3.0-only',
  'AGPL-3.0-or-later',
  'CPAL-1.0',
  'EUPL-1.2',
  'OSL-3.0',
  'RPL-1.5',
  'SSPL-1.0',
]

/** Covers the whole program that is distributed. */
const strongCopyleft = [
  'GPL-1.0-only',
  'GPL-1.0-or-later',
  'GPL-2.0-only',
  'GPL-2.0-or-later',
  'GPL-3.0-only',
  'GPL-3.0-or-later',
]

/** Covers changes of the library or of its files. */
const weakCopyleft = [
  'CDDL-1.0',
  'CDDL-1.1',
  'EPL-1.0',
  'EPL-2.0',
  'LGPL-2.0-only',
  'LGPL-2.0-or-later',
  'LGPL-2.1-only',
  'LGPL-2.1-or-later',
  'LGPL-3.0-only',
  'LGPL-3.0-or-later',
  'MPL-1.1',
  'MPL-2.0',
]

const permissive = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BSL-1.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PostgreSQL',
  'PSF-2.0',
  'Python-2.0',
  'Unicode-3.0',
  'Unlicense',
  'Zlib',
]

export const presets: readonly Preset[] = [
  {
    name: 'Report network copyleft',
    meaning:
      'For services: AGPL, CPAL, EUPL, OSL, RPL and SSPL are high, unknown licenses low. All other licenses are allowed.',
    policy: { rules: rulesFor(networkCopyleft, 'high'), unlisted_severity: 'none', unknown_severity: 'low' },
  },
  {
    name: 'Report copyleft',
    meaning:
      'For distributed software: the same and GPL are high, LGPL, MPL, EPL and CDDL low, unknown licenses medium. All other licenses are allowed.',
    policy: {
      rules: [...rulesFor([...networkCopyleft, ...strongCopyleft], 'high'), ...rulesFor(weakCopyleft, 'low')],
      unlisted_severity: 'none',
      unknown_severity: 'medium',
    },
  },
  {
    name: 'Allow only permissive licenses',
    meaning: `Allows ${permissive.join(', ')}. Every other license is high, unknown licenses are medium.`,
    policy: { rules: rulesFor(permissive, 'none'), unlisted_severity: 'high', unknown_severity: 'medium' },
  },
]

function rulesFor(licenses: readonly string[], severity: LicenseVerdict): LicenseRule[] {
  return licenses.map((license) => ({ license, severity }))
}
