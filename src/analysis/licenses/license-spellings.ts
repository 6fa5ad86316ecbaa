/**
 * Common spellings of SPDX identifiers. A key has no case, punctuation or filler words (`toKey`), so that `The Apache
 * Software License, Version 2.0` and `Apache-2` match `apache 2.0` and `apache 2`. GNU licenses have their own rule.
 * Omitted as ambiguous: `BSD`, `Public Domain`, `GPL`, `LGPL`, `CC-BY`, `Proprietary`.
 */
const spellings: Readonly<Record<string, string>> = {
  '0bsd': '0BSD',
  'academic free 3.0': 'AFL-3.0',
  apache: 'Apache-2.0',
  'apache 1.1': 'Apache-1.1',
  'apache 2': 'Apache-2.0',
  'apache 2.0': 'Apache-2.0',
  apache2: 'Apache-2.0',
  'apache2.0': 'Apache-2.0',
  'artistic 2.0': 'Artistic-2.0',
  'asl 2.0': 'Apache-2.0',
  'boost 1.0': 'BSL-1.0',
  'bsd 2': 'BSD-2-Clause',
  'bsd 2 clause': 'BSD-2-Clause',
  'bsd 3': 'BSD-3-Clause',
  'bsd 3 clause': 'BSD-3-Clause',
  'bsd new': 'BSD-3-Clause',
  'bsd simplified': 'BSD-2-Clause',
  '2 clause bsd': 'BSD-2-Clause',
  '3 clause bsd': 'BSD-3-Clause',
  cc0: 'CC0-1.0',
  'cc0 1.0 universal': 'CC0-1.0',
  'cc by 3.0': 'CC-BY-3.0',
  'cc by 4.0': 'CC-BY-4.0',
  'cc by sa 4.0': 'CC-BY-SA-4.0',
  'cddl 1.0': 'CDDL-1.0',
  'cddl 1.1': 'CDDL-1.1',
  'cddl gplv2 ce': 'CDDL-1.1 OR GPL-2.0-only WITH Classpath-exception-2.0',
  'cddl+gpl': 'CDDL-1.1 OR GPL-2.0-only WITH Classpath-exception-2.0',
  'cddl gplv2 with classpath exception': 'CDDL-1.1 OR GPL-2.0-only WITH Classpath-exception-2.0',
  'common development and distribution 1.0': 'CDDL-1.0',
  'common development and distribution 1.1': 'CDDL-1.1',
  'common development and distribution cddl 1.0': 'CDDL-1.0',
  'common public 1.0': 'CPL-1.0',
  'creative commons zero': 'CC0-1.0',
  'do what the fuck you want to public': 'WTFPL',
  'eclipse distribution 1.0': 'BSD-3-Clause',
  'edl 1.0': 'BSD-3-Clause',
  'eclipse public 1.0': 'EPL-1.0',
  'eclipse public 2.0': 'EPL-2.0',
  'epl 1.0': 'EPL-1.0',
  'epl 2.0': 'EPL-2.0',
  expat: 'MIT',
  'free bsd': 'BSD-2-Clause',
  freebsd: 'BSD-2-Clause',
  'historical permission notice and disclaimer hpnd': 'HPND',
  isc: 'ISC',
  'isc iscl': 'ISC',
  mit: 'MIT',
  'mit expat': 'MIT',
  'mit x11': 'MIT',
  'modified bsd': 'BSD-3-Clause',
  'mozilla public 1.1': 'MPL-1.1',
  'mozilla public 2.0': 'MPL-2.0',
  'mozilla public 2.0 mpl 2.0': 'MPL-2.0',
  'mpl 1.1': 'MPL-1.1',
  'mpl 2': 'MPL-2.0',
  'mpl 2.0': 'MPL-2.0',
  mpl2: 'MPL-2.0',
  'new bsd': 'BSD-3-Clause',
  psf: 'PSF-2.0',
  'python foundation': 'PSF-2.0',
  'public domain per creative commons cc0': 'CC0-1.0',
  'revised bsd': 'BSD-3-Clause',
  'simplified bsd': 'BSD-2-Clause',
  unlicense: 'Unlicense',
  'unlicense unlicense': 'Unlicense',
  'universal permissive 1.0': 'UPL-1.0',
  'zero clause bsd': '0BSD',
  'zlib libpng': 'Zlib',
  'zope public 2.1': 'ZPL-2.1',
  'zpl 2.1': 'ZPL-2.1',
}

const emptyWords = new Set(['the', 'license', 'licence', 'licensed', 'under', 'software', 'version', 'terms', 'of'])
const LONGEST = 200

/** Returns the SPDX expression of a spelling; undefined if unknown. */
export function findSpelling(text: string): string | undefined {
  if (text.length > LONGEST) return undefined
  const words = text.split('::').at(-1)!.trim()
  const address = /^https?:\/\/(?:www\.)?(?:opensource|spdx)\.org\/licenses\/([\w.+-]+?)(?:\.html|\.php)?\/?$/i.exec(
    words,
  )?.[1]
  if (address !== undefined) return findSpelling(address) ?? address
  if (/^https?:\/\/(?:www\.)?apache\.org\/licenses\/LICENSE-2\.0(?:\.txt|\.html)?$/i.test(words)) return 'Apache-2.0'
  const key = toKey(words)
  return (Object.hasOwn(spellings, key) ? spellings[key] : undefined) ?? findGnu(key)
}

function toKey(text: string): string {
  const words = text
    .toLowerCase()
    .split(/[^a-z0-9.+]+/)
    .map((word) => word.replace(/^v(?:er|ersion)?\.?(?=\d)/, '').replace(/^[.+]+|\.+$/g, ''))
    .filter((word) => word !== '' && word !== 'v' && !emptyWords.has(word))
  return words.filter((word, at) => word !== words[at - 1]).join(' ')
}

const gnuWord =
  /^(?:gnu|affero|lesser|library|general|public|[al]?gpl(?:v?[123](?:\.[01])?\+?)?|[123](?:\.[01])?\+?|or|any|later|newer|only)$/

/**
 * Parses `gnu lesser general public 2.1 or later lgplv2+`, `gpl 3`, `agplv3`: a family, a version, and whether later
 * versions are included.
 */
function findGnu(key: string): string | undefined {
  if (!/\bgnu\b.*\bpublic\b|\b[al]?gpl/.test(key) || !key.split(' ').every((word) => gnuWord.test(word)))
    return undefined
  const families = new Set(key.match(/\b[al]?gpl/g))
  if (families.size > 1) return undefined
  const family = /affero|\bagpl/.test(key) ? 'AGPL' : /lesser|library|\blgpl/.test(key) ? 'LGPL' : 'GPL'
  const versions = new Set(
    [...key.matchAll(/(?:^|[ lv])([123])(?:\.([01]))?(?=\+|\s|$)/g)].map(
      ([, major, minor = '0']) => `${major}.${minor}`,
    ),
  )
  const [version, other] = [...versions].sort((a, b) => Number(b) - Number(a))
  // The short form in parentheses omits the minor number: "2.1 (LGPLv2)" is one version.
  const isOne = other === undefined || (version === '2.1' && other === '2.0' && versions.size === 2)
  if (version === undefined || !isOne) return undefined
  return `${family}-${version}-${/later|newer|\+/.test(key) ? 'or-later' : 'only'}`
}
