import { RegistryUnreachable } from '../../src/analysis/ecosystems/ecosystem.ts'
import { toEnvironment } from '../../src/analysis/ecosystems/python/packaging/environment.ts'
import { evaluateMarker, parseMarker } from '../../src/analysis/ecosystems/python/packaging/marker.ts'
import { parseRequirement } from '../../src/analysis/ecosystems/python/packaging/requirement.ts'
import { defaultPythonTarget } from '../../src/analysis/ecosystems/python-target.ts'
import { parseCoreMetadata } from '../../src/scanning/registries/pypi/core-metadata.ts'
import { requirementsOfEgg } from '../../src/scanning/registries/pypi/egg-requires.ts'
import { parseProjectPage } from '../../src/scanning/registries/pypi/project-page.ts'
import { filesOfTar } from '../../src/scanning/registries/pypi/tar.ts'
import { parseVersionDocument } from '../../src/scanning/registries/pypi/version-document.ts'
import { readWheelEnd } from '../../src/scanning/registries/pypi/wheel-end.ts'
import { filesOfZip } from '../../src/scanning/registries/pypi/zip-files.ts'
import { toTar } from '../../test/support/repositories/tar.ts'
import { toZip } from '../../test/support/repositories/zip.ts'
import type { Target } from './input.ts'
import { corpusFiles } from './seeds.ts'

const file = { filename: 'a-1.0-py3-none-any.whl', url: '../../a-1.0-py3-none-any.whl', hashes: { sha256: 'a' } }
const page = JSON.stringify({
  meta: { 'api-version': '1.1' },
  name: 'a',
  versions: ['1.0'],
  files: [
    { ...file, 'requires-python': '>=3.8', yanked: false, 'core-metadata': { sha256: 'b' } },
    { ...file, filename: 'a-2.0rc1.tar.gz', yanked: 'broken', 'core-metadata': true },
  ],
})
const html =
  '<!DOCTYPE html><html><head><base href="https://registry.example/"></head><body><a href="a-1.0-py3-none-any.whl#sha256=aa" data-requires-python="&gt;=3.8" data-yanked="" data-core-metadata="sha256=bb">a-1.0-py3-none-any.whl</a><br/>\n<a href=\'../a-1.1.tar.gz\'>a-1.1.tar.gz</a></body></html>'
const metadata =
  'Metadata-Version: 2.2\nName: a\nVersion: 1.0\nDynamic: Requires-Dist\nRequires-Python: >=3.8\nLicense-Expression: MIT\nClassifier: License :: OSI Approved :: MIT License\nRequires-Dist: b[x,y]>=1,<2; python_version > "3" and extra == \'z\'\nRequires-Dist: c @ https://registry.example/c.whl\nProvides-Extra: z\n\n text\n'
const egg = 'b>=1\nc\n\n[z]\nd\n\n[:python_version<"3"]\ne\n\n[x:sys_platform=="win32"]\nf==1\n'
const document = JSON.stringify({
  info: { name: 'a', version: '1.0', requires_dist: ['b>=1'], license: 'MIT' },
  urls: [],
})
const wheel = toZip([
  { name: 'a/__init__.py', content: '' },
  { name: 'a-1.0.dist-info/METADATA', content: metadata },
])
const stored = toZip([{ name: 'a-1.0.dist-info/METADATA', content: metadata, method: 0 }])
const markers = [
  'python_version >= "3.8" and (sys_platform == "linux" or extra == "x")',
  "'linux' in sys_platform and platform_machine not in 'x86_64'",
  'os_name == "nt" or python_full_version < "3.9.1" and implementation_name === "cpython"',
]
const requirements = [
  'a',
  'a[x, y] (>=1.0,<2) ; python_version > "3"',
  'a @ https://registry.example/a.tar.gz#egg=a ; extra == "z"',
  'a~=1.0,!=1.1.*,===local',
]
const tar = toTar([
  { name: 'a-1.0/PKG-INFO', content: metadata },
  { name: 'x', type: 'x', content: '38 path=a-1.0/b.egg-info/requires.txt\n' },
  { name: 'a-1.0/a.egg-info/requires.txt', content: egg },
])
const environment = toEnvironment(defaultPythonTarget).markers

export const pythonTargets: readonly (() => Target[])[] = [
  () => [
    bytes('pypi-page', [page, html], (all) =>
      parseProjectPage(all, { project: 'a', url: 'https://registry.example/simple/a/' }),
    ),
    bytes('pypi-version', [document], (all) => parseVersionDocument(all, 'a')),
    bytes('wheel-end', [wheel.toString('latin1'), stored.toString('latin1')], (all) => [
      readWheelEnd({ bytes: all, start: 0, total: all.length }),
      readWheelEnd({ bytes: all, start: 1_000, total: all.length + 1_000 }),
      filesOfZip(all).map(({ parts, read }) => [parts, read().length]),
    ]),
    bytes('tar', [tar.toString('latin1')], async (all) =>
      (await filesOfTar(all)).map(({ parts, read }) => [parts, read().length]),
    ),
    bytes('core-metadata', [metadata], (all) => parseCoreMetadata(all.toString('utf8'), 'a')),
    bytes('egg-requires', [egg], (all) => requirementsOfEgg(all.toString('utf8'))),
  ],
  () => [
    text('marker', markers, (input) => {
      const marker = parseMarker(input)
      return marker && ['', 'x'].map((extra) => evaluateMarker(marker, environment, extra))
    }),
    text('requirement', [...requirements, ...realRequirements()], (requirement) => parseRequirement(requirement)),
  ],
]

function realRequirements(): string[] {
  const lines = corpusFiles('manifests/pip', /\.(?:txt|in)$/, 40).flatMap((content) => content.split('\n'))
  return [...new Set(lines)].filter((line) => /^[a-z]/i.test(line) && line.length < 300).slice(0, 300)
}

/** Characters are bytes here. */
function bytes(name: string, seeds: readonly string[], parse: (bytes: Buffer) => unknown): Target {
  return {
    ...text(name, seeds, (input) => parse(Buffer.from(input, 'latin1'))),
    isRefusal: (error) => error instanceof RegistryUnreachable,
    maxCharacters: 65_536,
  }
}

function text(name: string, seeds: readonly string[], parse: (text: string) => unknown): Target {
  return {
    name,
    corpus: () => ({ seeds: seeds.map((seed) => ({ texts: [seed], world: 0 })) }),
    run: ([input = '']) => parse(input),
    isRefusal: () => false,
    maxCharacters: 4_000,
  }
}
