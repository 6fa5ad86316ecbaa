import { toSwiftName } from '#analysis/swift-names.ts'
import { createLines } from '../../declaration.ts'
import { toIdentity } from './package-resolved.ts'

/** A dependency of a Package.swift. */
export interface SwiftDependency {
  readonly identity: string
  readonly name: string
  /** In node-semver's notation; empty if it names no versions. */
  readonly range: string
  readonly line: number
  /** A branch or revision. */
  readonly ref?: string
}

export interface SwiftManifest {
  readonly name: string
  readonly dependencies: readonly SwiftDependency[]
  /** False if a dependency is not literal. */
  readonly isStatic: boolean
}

const COMMENT = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g
const CALL = /\.package\s*\(/g
const QUOTED = String.raw`"([^"\\]*)"`
const URL = new RegExp(String.raw`\b(?:url|id):\s*${QUOTED}`)
const PATH = new RegExp(String.raw`\bpath:\s*${QUOTED}`)
const FROM = new RegExp(String.raw`\bfrom:\s*${QUOTED}`)
const EXACT = new RegExp(String.raw`\bexact(?::\s*|\(\s*)${QUOTED}`)
const SPAN = new RegExp(String.raw`${QUOTED}\s*(\.\.[.<])\s*${QUOTED}`)
const REF = new RegExp(String.raw`\b(?:branch|revision)(?::\s*|\(\s*)${QUOTED}`)

/** Reads the literal dependencies of a Package.swift, without those in folders ("PackageDescription API"). */
export function parsePackageSwift(text: string): SwiftManifest {
  const code = text.replace(COMMENT, (match) => (match.startsWith('"') ? match : match.replace(/[^\n]/g, ' ')))
  const lineOf = createLines(code)
  const calls = [...code.matchAll(CALL)].map(({ index, 0: head }) => ({
    line: lineOf(index),
    args: argumentsAt(code, index + head.length),
  }))
  const dependencies = calls.flatMap(({ line, args }): SwiftDependency[] => {
    const location = URL.exec(args)?.[1]
    if (location === undefined) return []
    const ref = REF.exec(args)?.[1]
    const identity = toIdentity(location)
    return [{ identity, name: toSwiftName(location), range: toRange(args), line, ...(ref !== undefined && { ref }) }]
  })
  const isStatic =
    calls.every(({ args }) => URL.test(args) || PATH.test(args)) && !/\bdependencies\s*(?:\+=|\.append)/.test(code)
  return {
    name: new RegExp(String.raw`\bPackage\s*\(\s*name:\s*${QUOTED}`).exec(code)?.[1] ?? '',
    dependencies,
    isStatic,
  }
}

/** Returns the text up to the bracket that closes a call. */
function argumentsAt(code: string, start: number): string {
  let depth = 1
  const brackets = /"(?:[^"\\\n]|\\.)*"|[()]/g
  brackets.lastIndex = start
  for (let bracket = brackets.exec(code); bracket !== null; bracket = brackets.exec(code)) {
    if (bracket[0] === '(') depth++
    else if (bracket[0] === ')' && --depth === 0) return code.slice(start, bracket.index)
  }
  return code.slice(start)
}

function toRange(args: string): string {
  const exact = EXACT.exec(args)?.[1]
  if (exact !== undefined) return `=${exact}`
  const [, low, dots, high] = SPAN.exec(args) ?? []
  if (low !== undefined) return `>=${low} ${dots === '..<' ? '<' : '<='}${high}`
  const from = FROM.exec(args)?.[1]
  const [numbers, major, minor] = /^(\d{1,15})\.(\d{1,15})\.\d+/.exec(from ?? '') ?? []
  if (numbers === undefined) return ''
  const next = /\.upToNextMinor\b/.test(args) ? `${major}.${Number(minor) + 1}.0` : `${Number(major) + 1}.0.0`
  return `>=${from} <${next}`
}
