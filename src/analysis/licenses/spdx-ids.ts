import deprecated from 'spdx-license-ids/deprecated.json' with { type: 'json' }
import current from 'spdx-license-ids/index.json' with { type: 'json' }

/** Successors of deprecated SPDX identifiers with a single meaning. */
const successors: Readonly<Record<string, string>> = {
  'AGPL-1.0': 'AGPL-1.0-only',
  'AGPL-3.0': 'AGPL-3.0-only',
  'BSD-2-Clause-FreeBSD': 'BSD-2-Clause',
  'BSD-2-Clause-NetBSD': 'BSD-2-Clause',
  'GFDL-1.1': 'GFDL-1.1-only',
  'GFDL-1.2': 'GFDL-1.2-only',
  'GFDL-1.3': 'GFDL-1.3-only',
  'GPL-1.0': 'GPL-1.0-only',
  'GPL-2.0': 'GPL-2.0-only',
  'GPL-3.0': 'GPL-3.0-only',
  'GPL-2.0-with-GCC-exception': 'GPL-2.0-only WITH GCC-exception-2.0',
  'GPL-2.0-with-autoconf-exception': 'GPL-2.0-only WITH Autoconf-exception-2.0',
  'GPL-2.0-with-bison-exception': 'GPL-2.0-only WITH Bison-exception-2.2',
  'GPL-2.0-with-classpath-exception': 'GPL-2.0-only WITH Classpath-exception-2.0',
  'GPL-2.0-with-font-exception': 'GPL-2.0-only WITH Font-exception-2.0',
  'GPL-3.0-with-GCC-exception': 'GPL-3.0-only WITH GCC-exception-3.1',
  'GPL-3.0-with-autoconf-exception': 'GPL-3.0-only WITH Autoconf-exception-3.0',
  'LGPL-2.0': 'LGPL-2.0-only',
  'LGPL-2.1': 'LGPL-2.1-only',
  'LGPL-3.0': 'LGPL-3.0-only',
  'StandardML-NJ': 'SMLNJ',
  'bzip2-1.0.5': 'bzip2-1.0.6',
}

/** Identifiers are case-insensitive (SPDX specification, "License expressions"). */
const ids = new Map<string, string>([...deprecated, ...current].map((id) => [id.toLowerCase(), id]))

/** Returns the canonical SPDX identifier or its successor; undefined if unknown. */
export function findSpdxId(text: string): string | undefined {
  const id = ids.get(text.toLowerCase())
  if (id !== undefined) return Object.hasOwn(successors, id) ? successors[id] : id
  const plain = /^(.+)\+$/.exec(text)?.[1]
  const base = plain === undefined ? undefined : ids.get(plain.toLowerCase())
  if (base === undefined) return undefined
  const orLater = ids.get(`${base.replace(/-only$/, '')}-or-later`.toLowerCase())
  return orLater ?? `${base}+`
}
