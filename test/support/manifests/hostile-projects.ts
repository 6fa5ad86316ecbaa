import { isFullVolume } from '../volume.ts'
import { hostileLocks } from './hostile-locks.ts'

/** A property of Maven or a value of Groovy, which looks like a placeholder of ours. */
const property = (name: string) => `\${${name}}`

/** A name, the files, and the expected outcome: a 400, a result that reports the missing parts, or a complete one. */
export type Hostile = readonly [
  what: string,
  files: readonly [string, ...string[]],
  outcome: 'refused' | 'named' | 'refused or named' | 'complete',
]

/** Counts of what has no depth; at a tenth, work that grows with the square of them is still noticed. */
const million = isFullVolume ? 1_000_000 : 100_000
const long = 'x'.repeat(10 * million)
/** Numbers of nested or chained parts; even a quarter exceeds the stack and every limit. */
const quarter = isFullVolume ? 1 : 0.25
const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

const v1 = '# yarn lockfile v1\n\n\n'
const wantsGood = '{"dependencies":{"good":"1"}}'
const berry = '__metadata:\n  version: 8\n\n'
const yarn: readonly Hostile[] = [
  ['an empty file', [''], 'refused'],
  ['a lock truncated within a block', [wantsGood, `${v1}good@1:\n  version "1.0.0`], 'refused or named'],
  ['a lock without the required package', [wantsGood, `${v1}other@1:\n  version "1.0.0"\n`], 'named'],
  ['a block without a version', [wantsGood, `${v1}good@1:\n  resolved "a"\n`], 'refused or named'],
  [
    'an entry that requires a missing package',
    [wantsGood, `${v1}good@1:\n  version "1.0.0"\n  dependencies:\n    x "1"\n`],
    'named',
  ],
  ['a merge conflict', [wantsGood, `${v1}<<<<<<< HEAD\ngood@1:\n  version "1.0.0"\n=======\n`], 'refused'],
  ['a very long line', [wantsGood, `${v1}good@1:\n  version "1.0.0"\n  resolved "${long}"\n`], 'complete'],
  ['a very long name', [`{"dependencies":{"${long}":"1"}}`, v1], 'refused or named'],
  [
    'blocks nested 2,000 deep',
    [wantsGood, `${v1}good@1:\n${many(2_000, (at) => `${' '.repeat(at * 2 + 2)}a:\n`).join('')}`],
    'refused or named',
  ],
  [
    'names of object members',
    ['{"dependencies":{"__proto__":"1","constructor":"1"}}', `${v1}constructor@1:\n  version "1.0.0"\n`],
    'named',
  ],
  ['berry: aliases of YAML', [wantsGood, `${berry}a: &a [x]\nb: [*a, *a]\n`], 'refused or named'],
  [
    'berry: a bomb of aliases',
    [wantsGood, `${berry}${many(30, (at) => `a${at}: &a${at} [${`*a${at - 1}, `.repeat(9)}]\n`).join('')}`],
    'refused or named',
  ],
  ['berry: keys like object members', [wantsGood, `${berry}"__proto__":\n  version: 1.0.0\n`], 'refused or named'],
  ['two locks', [wantsGood, v1, v1], 'refused'],
]

const v9 = "lockfileVersion: '9.0'\n"
const pins = (name: string) =>
  `${v9}importers:\n  .:\n    dependencies:\n      ${name}:\n        specifier: '1'\n        version: 1.0.0\n`
const pnpm: readonly Hostile[] = [
  ['an empty file', [''], 'refused'],
  ['a lock of an unknown version', [wantsGood, "lockfileVersion: '99.0'\n"], 'refused'],
  ['a truncated lock', [wantsGood, `${pins('good')}packages:\n  'good@1`], 'refused'],
  ['a lock without the required package', [wantsGood, pins('other')], 'named'],
  ['a package that is not in the lock', [wantsGood, pins('good')], 'named'],
  ['a merge conflict', [wantsGood, `${v9}<<<<<<< HEAD\na: b\n=======\n>>>>>>> x\n`], 'refused'],
  ['a very long key', [wantsGood, `${v9}${long}: x\n`], 'named'],
  ['a very long line', [wantsGood, `${pins('good')}snapshots:\n  good@1.0.0: {x: ${long}}\n`], 'complete'],
  ['very many brackets', [wantsGood, `${v9}packages: ${'['.repeat(10 * million)}\n`], 'refused'],
  ['very many hyphens', [wantsGood, `${v9}packages:\n  ${'- '.repeat(5 * million)}\n`], 'refused'],
  [
    'very many lines in YAML that pnpm does not write',
    [wantsGood, `${v9}${'# x\na: &b c\n'.repeat(million)}`],
    'refused',
  ],
  [
    'a bomb of aliases',
    [
      wantsGood,
      `${v9}${many(30, (at) => `a${at}: &a${at} [${at === 0 ? 'x' : `*a${at - 1}, `.repeat(9)}]\n`).join('')}`,
    ],
    'refused',
  ],
  ['maps nested 900 deep', [wantsGood, `${v9}${many(900, (at) => `${' '.repeat(at)}a:\n`).join('')}`], 'refused'],
  ['names of object members', ['{"dependencies":{"__proto__":"1","constructor":"1"}}', pins('constructor')], 'named'],
  ['two locks', [wantsGood, v9, v9], 'refused'],
  ['settings that are a list', [wantsGood, 'packages:\n  - a\ncatalog:\n  - b\n'], 'named'],
  [
    'very many projects without a package',
    ['{}', `${v9}importers:\n${many(million / 10, (at) => `  a${at}: {}\n`).join('')}`].toReversed() as [
      string,
      string,
    ],
    'refused or named',
  ],
]

const bunLock = (packages: string, dependencies = '"good": "1"') =>
  `{ "lockfileVersion": 1, "workspaces": { "": { "dependencies": { ${dependencies}, }, }, }, "packages": { ${packages} }, }`
const bun: readonly Hostile[] = [
  ['an empty file', [''], 'refused'],
  ['a lock of an unknown version', [wantsGood, bunLock('').replace(': 1', ': 99')], 'refused'],
  ['a truncated lock', [wantsGood, bunLock('"good": ["good@1.0.0", "", {}, ""],').slice(0, -9)], 'refused'],
  ['a lock without the required package', [wantsGood, bunLock('')], 'named'],
  ['a lock for another range', [wantsGood, bunLock('"good": ["good@1.0.0"]', '"good": "2"')], 'named'],
  ['a package of another name', [wantsGood, bunLock('"good": ["evil@1.0.0", "", {}, ""]')], 'named'],
  ['packages that are not lists', [wantsGood, bunLock('"good": {}')], 'refused'],
  ['a package that names nothing', [wantsGood, bunLock('"good": [7]')], 'refused'],
  ['the binary format', [wantsGood, '#!/usr/bin/env bun\nbun-lockfile-format-v0\n\0'], 'refused'],
  ['very many commas', [wantsGood, bunLock(`"good": [${','.repeat(10 * million)}]`)], 'refused'],
  ['very many trailing commas', [wantsGood, bunLock(`"x": ["x@1.0.0", ${'[1,],'.repeat(million)}]`)], 'named'],
  ['an unterminated string', [wantsGood, bunLock(`"good": ["good@1.0.0", "${'\\\\'.repeat(million)}`)], 'refused'],
  ['a very long key of slashes', [wantsGood, bunLock(`"${'/'.repeat(10 * million)}": ["good@1.0.0"]`)], 'named'],
  [
    'names of object members',
    [
      '{"dependencies":{"__proto__":"1","constructor":"1"}}',
      bunLock('"a": ["a@1.0.0"]', '"__proto__": "1", "constructor": "1"'),
    ],
    'named',
  ],
  ['two locks', [wantsGood, bunLock(''), bunLock('')], 'refused'],
]

const gems = (specs: string, dependencies: string) =>
  `GEM\n  remote: https://registry.example/\n  specs:\n${specs}\nDEPENDENCIES\n${dependencies}`
const rubygems: readonly Hostile[] = [
  ['very many empty lines', [`${'\n'.repeat(million)}puts 1\n`], 'refused or named'],
  ['an empty file', [''], 'refused'],
  ['a truncated lock', ['GEM\n  specs:\n    good (1.0)\n'], 'refused'],
  ['a gem without a version', [gems('    good\n', '  good\n')], 'refused'],
  ['a lock without the required package', [gems('    other (1.0)\n', '  good\n')], 'named'],
  ['a gem that requires a missing gem', [gems('    good (1.0)\n      x\n', '  good\n')], 'named'],
  ['a merge conflict', [gems('<<<<<<< HEAD\n    good (1.0)\n=======\n', '  good\n')], 'refused'],
  ['a very long line', [gems('    good (1.0)\n', `  good\n  ${long}\n`)], 'named'],
  ['a Gemfile that evaluates', ['eval File.read("/etc/passwd")\ngem "good"\n'], 'named'],
  ['a Gemfile that runs a command', ['gem "good", `id`\n'], 'named'],
  ['a Gemfile that reads another', ['eval_gemfile "../../../etc/passwd"\ngem "good"\n'], 'named'],
  ['a Gemfile with a computed name', ['gem ENV["A"]\ngem "good"\n'], 'named'],
  [
    'a Gemfile of very many open blocks',
    [`${'platforms :a do\n'.repeat(100_000 * quarter)}gem "good"\n`],
    'refused or named',
  ],
  ['a Gemfile of one very long line', [`gem "good" # ${long}`], 'named'],
  ['a gem from a path', ['gem "good", path: "/etc"\n'], 'named'],
  ['gems named like object members', ['gem "constructor"\ngem "__proto__"\n'], 'named'],
]

const goMod = (...lines: readonly string[]) => ['module example.com/p', 'go 1.16', ...lines, ''].join('\n')
const wantsGoodModule = 'require example.com/good v1.0.0'
const gomodules: readonly Hostile[] = [
  ['an empty file', [''], 'refused'],
  ['a truncated block', [goMod('require (', '\texample.com/good v1.0.0')], 'refused'],
  ['a requirement without a version', [goMod('require example.com/good')], 'refused'],
  ['a version that is a branch', [goMod('require example.com/good main')], 'named'],
  ['an unknown directive', [goMod(wantsGoodModule, 'overlay example.com/good ./x')], 'named'],
  ['a merge conflict', [goMod('<<<<<<< HEAD', wantsGoodModule, '=======')], 'refused or named'],
  [
    'a module replaced by a folder outside the project',
    [goMod(wantsGoodModule, 'replace example.com/good => /etc')],
    'named',
  ],
  [
    'a module replaced by the same version',
    [goMod(wantsGoodModule, 'replace example.com/good => example.com/good v1.0.0')],
    'complete',
  ],
  ['a path outside the registry', [goMod('require example.com/../../good v1.0.0')], 'named'],
  ['names of object members', [goMod('require constructor v1.0.0', 'require __proto__ v1.0.0')], 'named'],
  ['a very long line', [goMod(`${wantsGoodModule} // ${long}`)], 'complete'],
  ['a very long path', [goMod(`require example.com/${long} v1.0.0`)], 'refused'],
  [
    'a version of very many digits',
    [goMod(`require example.com/good v${'1'.repeat(10 * million)}.0.0`)],
    'refused or named',
  ],
  ['unclosed quotes', [goMod(`require "example.com/good v1.0.0`)], 'refused'],
  ['a million lines', [goMod('// x\n'.repeat(1_000_000))], 'refused'],
  ['a module of the standard library', [goMod('require fmt v1.0.0')], 'named'],
  [
    'a list since Go 1.17 that is not whole',
    ['module example.com/p\ngo 1.21\nrequire example.com/gone v1.0.0\n'],
    'named',
  ],
  ['two workspaces', [goMod(wantsGoodModule), 'go 1.21\nuse ./a\n', 'go 1.21\nuse ./b\n'], 'refused'],
  [
    'a go.sum of nonsense',
    [goMod(wantsGoodModule), `a b h1:${'A'.repeat(43)}=\nexample.com/good v1.0.0 h1:${'A'.repeat(43)}=\nx\n`],
    'complete',
  ],
]

const revision = '0123456789abcdef0123456789abcdef01234567'
const vendored = (packages: unknown) => JSON.stringify({ rootPath: 'a.example/b', package: packages })
const govendor: readonly Hostile[] = [
  ['an empty file', [''], 'refused'],
  ['a truncated file', [vendored([{ path: 'github.com/a/b', revision }]).slice(0, -20)], 'refused'],
  ['packages that are not a list', [vendored('x')], 'refused'],
  ['a package that is not an object', [vendored([1])], 'refused or named'],
  ['a package without a path', [vendored([{ revision }])], 'refused or named'],
  ['a package without a revision', [vendored([{ path: 'github.com/a/b' }])], 'named'],
  ['an invalid revision', [vendored([{ path: 'github.com/a/b', revision: '../../x' }])], 'named'],
  [
    'one repository at two revisions',
    [
      vendored([
        { path: 'github.com/a/b', revision },
        { path: 'github.com/a/b/c', revision: revision.replace('0', 'f') },
      ]),
    ],
    'complete',
  ],
  ['lists in lists', ['['.repeat(1_000_000)], 'refused'],
  [
    'keys like object members',
    ['{"__proto__":{"package":[]},"package":[{"path":"__proto__","revision":"1"}]}'],
    'named',
  ],
  ['a very long path', [vendored([{ path: `github.com/a/${long}`, revision }])], 'refused or named'],
]

const pip: readonly Hostile[] = [
  ['nothing that can be read', ['\0\0\0'], 'refused or named'],
  ['a page', ['<html>\n<body>'], 'refused or named'],
  ['contradicting pins', ['good==1.0\ngood==2.0\n'], 'refused or named'],
  ['300 missing packages with extras', [many(300, (at) => `gone[a${at}, b]>=5\n`).join('')], 'named'],
  ['a missing file', ['-r other.txt\n'], 'named'],
  ['a file outside the project', ['-r /etc/passwd\n-c ../../../etc/passwd\n'], 'named'],
  ['a file that includes itself', ['-r requirements.txt\ngood\n'], 'refused or named'],
  ['an editable path', ['-e /etc\n'], 'named'],
  ['a repository', ['git+https://registry.example/a.git#egg=a\n'], 'named'],
  ['a variable', [`good==${property('SECRET')}\n`], 'refused or named'],
  ['an unknown option', ['--what-is-this x\ngood\n'], 'refused or named'],
  ['an index on this machine', ['--index-url file:///etc\ngood\n'], 'refused or named'],
  ['an index at a private address', ['--index-url http://10.0.0.1/simple\ngood\n'], 'refused or named'],
  [
    'a marker of 10,000 brackets',
    [`good; ${'('.repeat(10_000)}python_version > "3"${')'.repeat(10_000)}\n`],
    'refused or named',
  ],
  ['an invalid marker', ['good; __import__("os")\n'], 'refused or named'],
  ['a very long line', [`good # ${long}\ngone==${long}\n`], 'refused or named'],
  ['endlessly continued lines', [`good\\\n${'\\\n'.repeat(300_000)}`], 'complete'],
  ['names of object members', ['constructor\ntoString\n__proto__\n'], 'refused or named'],
  ['very many extras', [`good[${'a,'.repeat(100_000)}a]\n`], 'refused or named'],
]

const project = (inside: string) =>
  `<project><modelVersion>4.0.0</modelVersion><groupId>t</groupId><artifactId>t</artifactId><version>1</version>${inside}</project>`
const depends = (name: string, version = '1.0', more = '') =>
  `<dependencies><dependency><groupId>g</groupId><artifactId>${name}</artifactId><version>${version}</version>${more}</dependency></dependencies>`
const parent = (name: string) =>
  `<parent><groupId>g</groupId><artifactId>${name}</artifactId><version>1.0</version></parent>`
const maven: readonly Hostile[] = [
  ['an empty file', [''], 'refused'],
  ['a truncated file', [project(depends('good')).slice(0, -30)], 'refused'],
  ['another document', ['<metadata><a/></metadata>'], 'refused'],
  ['a missing parent', [project(`${parent('gone')}${depends('good')}`)], 'refused or named'],
  [
    'itself for a parent',
    [
      '<project><parent><groupId>t</groupId><artifactId>t</artifactId><version>1</version></parent><groupId>t</groupId><artifactId>t</artifactId><version>1</version></project>',
    ],
    'refused or named',
  ],
  [
    'a property of itself',
    [project(`<properties><a>\${a}</a></properties>${depends('good', property('a'))}`)],
    'refused or named',
  ],
  [
    'properties in a circle',
    [project(`<properties><a>\${b}</a><b>\${a}</b></properties>${depends('good', property('a'))}`)],
    'refused or named',
  ],
  [
    'properties that double',
    [
      project(
        `<properties><p0>xx</p0>${many(60, (at) => `<p${at + 1}>\${p${at}}\${p${at}}</p${at + 1}>`).join('')}</properties>${depends('good', property('p60'))}`,
      ),
    ],
    'refused or named',
  ],
  ['an unknown property', [project(depends('good', property('env.SECRET')))], 'refused or named'],
  [
    'a missing BOM',
    [
      project(
        `<dependencyManagement>${depends('gone', '1.0', '<type>pom</type><scope>import</scope>')}</dependencyManagement>${depends('good')}`,
      ),
    ],
    'refused or named',
  ],
  [
    'no version anywhere',
    [
      project(
        '<dependencies><dependency><groupId>g</groupId><artifactId>good</artifactId></dependency></dependencies>',
      ),
    ],
    'refused or named',
  ],
  [
    'two versions of one',
    [
      project(
        `<dependencies>${['1.0', '1.0'].map((version) => `<dependency><groupId>g</groupId><artifactId>good</artifactId><version>${version}</version></dependency>`).join('')}</dependencies>`,
      ),
    ],
    'complete',
  ],
  [
    'a bomb of entities',
    [
      `<!DOCTYPE p [<!ENTITY a0 "aaaaaaaaaa">${many(20, (at) => `<!ENTITY a${at + 1} "${`&a${at};`.repeat(10)}">`).join('')}]>${project(depends('good', '&a20;'))}`,
    ],
    'refused or named',
  ],
  [
    'an external entity',
    [`<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]>${project(depends('&x;'))}`],
    'refused or named',
  ],
  ['elements nested 100,000 deep', [`<project>${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}</project>`], 'refused'],
  ['a very long text', [project(`<description>${long}</description>${depends('good')}`)], 'complete'],
  ['a very long attribute', [project(depends('good')).replace('<project>', `<project a="${long}">`)], 'complete'],
  [
    'names of object members',
    [project(`<properties><constructor>1.0</constructor></properties>${depends('good', property('constructor'))}`)],
    'complete',
  ],
  ['a range that nothing fits', [project(depends('good', '[9,10)'))], 'named'],
  ['a path for a version', [project(depends('good', '../../../x'))], 'refused or named'],
  [
    'a system file',
    [project(depends('good', '1.0', '<scope>system</scope><systemPath>/etc/passwd</systemPath>'))],
    'complete',
  ],
  [
    'a repository at a private address',
    [
      project(
        `<repositories><repository><id>r</id><url>http://10.0.0.1/</url></repository></repositories>${depends('good')}`,
      ),
    ],
    'complete',
  ],
]

const lockedGood = '[[package]]\nname = "good"\nversion = "1.0"\n\n'
const metadata = '[metadata]\nlock-version = "2.0"\npython-versions = "*"\ncontent-hash = "x"\n'
const wantsGoodOfPoetry = '[tool.poetry.dependencies]\ngood = "^1.0"\n'
const poetry: readonly Hostile[] = [
  ['an empty file', [''], 'refused'],
  ['a lock truncated within a package', ['[[package]]\nname = "goo'], 'refused'],
  [
    'a version of the format that does not exist',
    [`${lockedGood}[metadata]\nlock-version = "9.0"\ncontent-hash = "x"\n`],
    'refused',
  ],
  ['a package without a name', [`[[package]]\nversion = "1.0"\n${metadata}`], 'refused'],
  ['a package without a version', [`[[package]]\nname = "good"\n${metadata}`], 'named'],
  ['an invalid version', [`[[package]]\nname = "good"\nversion = "x"\n${metadata}`], 'named'],
  ['a lock without the required package', [metadata, wantsGoodOfPoetry], 'named'],
  ['a lock written for another manifest', [lockedGood + metadata, wantsGoodOfPoetry], 'named'],
  ['a package that requires a missing package', [`${lockedGood}[package.dependencies]\nx = "*"\n${metadata}`], 'named'],
  [
    'files of another package',
    [`[[package]]\nname = "good"\nversion = "1.0"\nfiles = [{ file = "other-2.0.tar.gz" }]\n${metadata}`],
    'named',
  ],
  [
    'a very long name',
    [`[[package]]\npython-versions = "*"\nname = "${long}"\nversion = "1.0"\n${metadata}`],
    'complete',
  ],
  ['a merge conflict', [`<<<<<<< HEAD\n${lockedGood}=======\n>>>>>>> other\n${metadata}`], 'refused'],
  ['arrays nested 2,000 deep', [`${lockedGood}x = ${'['.repeat(2_000)}${']'.repeat(2_000)}\n${metadata}`], 'refused'],
  [
    'packages in a circle',
    [
      `${lockedGood}[package.dependencies]\nb = "*"\n[[package]]\nname = "b"\nversion = "1"\n[package.dependencies]\ngood = "*"\n${metadata}`,
    ],
    'complete',
  ],
  [
    'names of object members',
    [
      `[[package]]\nname = "constructor"\nversion = "1.0"\n[package.dependencies]\n__proto__ = "*"\ntoString = "*"\n${metadata}`,
    ],
    'named',
  ],
  ['a truncated manifest', [lockedGood + metadata, '[tool.poetry.dependencies]\ngood = "'], 'refused'],
  ['two manifests', [lockedGood + metadata, wantsGoodOfPoetry, wantsGoodOfPoetry], 'refused'],
  [
    'a name of 20,000 parts',
    [lockedGood + metadata, `${wantsGoodOfPoetry}python${'.a'.repeat(20_000)} = 1\n`],
    'refused',
  ],
]

const uvHead = 'version = 1\nrequires-python = ">=3.9"\n\n'
const ownUv = (dependencies: string) =>
  `[[package]]\nname = "p"\nversion = "1"\nsource = { virtual = "." }\ndependencies = [${dependencies}]\n`
const goodUv =
  '[[package]]\nname = "good"\nversion = "1.0"\nsource = { registry = "https://registry.example/simple" }\n'
const uv: readonly Hostile[] = [
  ['an empty file', [''], 'refused'],
  ['a lock truncated within a package', [`${uvHead}[[package]]\nname = "goo`], 'refused'],
  ['a version of the format that does not exist', [`version = 9\n${goodUv}`], 'refused'],
  ['a lock without a version', [goodUv], 'refused'],
  ['a package without a name', [`${uvHead}[[package]]\nversion = "1.0"\n`], 'refused'],
  ['a package without a version', [`${uvHead}[[package]]\nname = "good"\nsource = { registry = "x" }\n`], 'named'],
  ['a dependency without an entry', [`${uvHead}${ownUv('{ name = "gone" }')}`], 'named'],
  ['a package that nothing requires', [`${uvHead}${ownUv('')}${goodUv}`], 'complete'],
  ['files of another package', [`${uvHead}${goodUv}sdist = { url = "https://x.example/other-2.0.tar.gz" }\n`], 'named'],
  ['dependencies that are no list', [`${uvHead}${goodUv}dependencies = { name = "gone" }\n`], 'complete'],
  ['a very long name', [`${uvHead}[[package]]\nname = "${long}"\nversion = "1.0"\n`], 'complete'],
  ['packages in a circle', [`${uvHead}${goodUv}dependencies = [{ name = "good", extra = ["good"] }]\n`], 'complete'],
  ['a merge conflict', [`<<<<<<< HEAD\n${uvHead}=======\n${goodUv}`], 'refused'],
]

const pipfileLock = (packages: object) =>
  JSON.stringify({ _meta: { 'pipfile-spec': 6 }, default: packages, develop: {} })
const pipenv: readonly Hostile[] = [
  ['an empty file', [''], 'refused'],
  ['a truncated lock', ['{"_meta": {"hash": {}}, "default": {"good": {'], 'refused'],
  [
    'a version of the format that does not exist',
    ['{"_meta":{"pipfile-spec":9},"default":{},"develop":{}}'],
    'refused',
  ],
  ['a package that is not an object', [pipfileLock({ good: 'x' })], 'refused'],
  ['packages that are a list', ['{"_meta":{},"default":["good"],"develop":{}}'], 'refused'],
  ['a package without a version', [pipfileLock({ good: {} })], 'named'],
  ['an invalid version', [pipfileLock({ good: { version: '==x' } })], 'named'],
  ['a lock without what the Pipfile asks for', [pipfileLock({}), '[packages]\ngood = "*"\n'], 'named'],
  ['names of object members', ['{"_meta":{},"default":{"__proto__":{"version":"==1"}},"develop":{}}'], 'complete'],
  ['a Pipfile cut off', ['[packages]\ngood = "'], 'refused'],
  ['a range that is none', ['[packages]\ngood = "nonsense"\n'], 'named'],
  ['a name of 20,000 parts', [`[packages]\ngood${'.a'.repeat(20_000)} = 1\n`], 'refused'],
  ['a name of spaces', [pipfileLock({ [`good${' '.repeat(million)}x`]: { version: '==1' } })], 'complete'],
  ['two locks', [pipfileLock({}), pipfileLock({})], 'refused'],
]

const pyproject: readonly Hostile[] = [
  ['an empty file', [''], 'refused'],
  ['a truncated manifest', ['[project]\nname = "p"\ndependencies = ["good'], 'refused'],
  ['a manifest of tools only', ['[tool.black]\nline-length = 100\n'], 'refused'],
  ['a dependency that is none', ['[project]\nname = "p"\ndependencies = ["good =="]\n'], 'named'],
  ['a dependency that is a number', ['[project]\nname = "p"\ndependencies = [1]\n'], 'named'],
  ['dependencies that are a text', ['[project]\nname = "p"\ndependencies = "good"\n'], 'named'],
  ['dynamic dependencies', ['[project]\nname = "p"\ndynamic = ["dependencies"]\n'], 'named'],
  ['a very long name', [`[project]\nname = "p"\ndependencies = ["${long}"]\n`], 'refused or named'],
  ['names of object members', ['[tool.poetry.dependencies]\n__proto__ = "*"\nconstructor = "*"\n'], 'named'],
  [
    'a lock of a version that does not exist',
    ['lock-version = "2.0"\n[[packages]]\nname = "good"\nversion = "1"\n'],
    'refused',
  ],
  ['a locked package without a version', ['lock-version = "1.0"\n[[packages]]\nname = "good"\n'], 'named'],
  [
    'a lock without the required package',
    ['[project]\nname = "p"\ndependencies = ["good"]\n', 'lock-version = "1.0"\npackages = []\n'],
    'named',
  ],
]

const java = "plugins { id 'java' }\nrepositories { mavenCentral() }\n"
const gradle: readonly Hostile[] = [
  ['an empty file', [''], 'refused'],
  ['nothing but comments', ['// nothing\n/* at all */\n'], 'refused'],
  ['an empty script beside one that is not', ['', `${java}dependencies { implementation 'g:good:1.0' }\n`], 'refused'],
  ['cut off in a string', [`${java}dependencies { implementation 'g:goo`], 'refused or named'],
  [
    'blocks that never close',
    [`${java}${'dependencies {\n'.repeat(50_000 * quarter)}implementation 'g:gone:1'`],
    'refused or named',
  ],
  [
    'an unknown plugin',
    [`plugins { id 'com.example.unknown' version '1' }\ndependencies { secretly 'g:gone:1' }\n`],
    'refused or named',
  ],
  ['a computed version', [`${java}dependencies { implementation "g:good:\${readVersion()}" }\n`], 'named'],
  [
    'a variable in a circle',
    [`${java}def a = "\${b}"\ndef b = "\${a}"\ndependencies { implementation "g:good:$a" }\n`],
    'refused or named',
  ],
  [
    'a script that is applied',
    [`${java}apply from: 'file:///etc/passwd'\ndependencies { implementation 'g:good:1.0' }\n`],
    'refused or named',
  ],
  ['a command', [`${java}def v = "id".execute().text\ndependencies { implementation "g:good:\${v}" }\n`], 'named'],
  ['a very long line', [`${java}// ${long}\ndependencies { implementation 'g:${long}:1' }\n`], 'refused or named'],
  ['a missing catalog', [`${java}dependencies { implementation libs.good }\n`], 'named'],
  [
    'names of object members',
    [`${java}dependencies { implementation "g:good:\${constructor}"\nimplementation libs.constructor }\n`],
    'refused or named',
  ],
  [
    'an expression of 501 characters in a string',
    [`${java}dependencies { implementation "g:good:\${'1.0'${' '.repeat(496)}}" }\n`],
    'named',
  ],
  ['strings in strings', [`${java}dependencies { implementation "${'${"'.repeat(20_000)}" }\n`], 'refused or named'],
  [
    'lists of names without a beginning',
    [`${java}dependencies { implementation 'g:gone:1' }\n1 [${'a )= '.repeat(20_000)}\n`],
    'named',
  ],
  [
    'a chain of 20,000 calls without parentheses',
    [`${java}dependencies { implementation 'g:gone:1' }\n${"compile 's' ".repeat(20_000)}\n`],
    'named',
  ],
  [
    'lists in lists',
    [`${java}dependencies { implementation 'g:gone:1' }\ndef x = ${'listOf('.repeat(150)}'1'${')'.repeat(150)}\n`],
    'named',
  ],
  [
    'a path of very many names',
    [`${java}dependencies { implementation 'g:gone:1' }\nx${'.dependencies'.repeat(200_000 * quarter)}\n`],
    'named',
  ],
]
const sbt: readonly Hostile[] = [
  ['nothing of sbt', ['\0\0'], 'refused or named'],
  ['cut off in a string', ['libraryDependencies += "g" % "goo'], 'refused or named'],
  [
    'brackets that never close',
    [`libraryDependencies ++= ${'Seq('.repeat(50_000)}"g" % "gone" % "1"`],
    'refused or named',
  ],
  ['a computed version', ['libraryDependencies += "g" % "good" % sys.env("V")\n'], 'named'],
  ['values in a circle', ['val a = b\nval b = a\nlibraryDependencies += "g" % "good" % a\n'], 'refused or named'],
  [
    'a value that doubles',
    [
      `val v0 = "xx"\n${many(60, (at) => `val v${at + 1} = v${at} + v${at}\n`).join('')}libraryDependencies += "g" % "good" % v60\n`,
    ],
    'refused or named',
  ],
  ['a very long line', [`// ${long}\nlibraryDependencies += "g" % "${long}" % "1"\n`], 'refused or named'],
  [
    'comments in comments',
    [`${'/*'.repeat(100_000)}\nlibraryDependencies += "g" % "gone" % "1"\n`],
    'refused or named',
  ],
  ['what another file defines', ['libraryDependencies ++= Dependencies.all\n'], 'named'],
  [
    'names of object members',
    ['libraryDependencies += "g" % "good" % constructor\nlibraryDependencies += toString\n'],
    'refused or named',
  ],
]

const bill = (members: string) => `{"bomFormat":"CycloneDX","specVersion":"1.6","components":[${members}]}`
const item = (at: number | string) =>
  `{"type":"library","bom-ref":"${at}","name":"n${at}","purl":"pkg:npm/n${at}@1.0.0"}`
const xmlBill = (content: string) => `<bom xmlns="http://cyclonedx.org/schema/bom/1.6">${content}</bom>`
const related = many(20_000 * quarter, (at) => `Relationship: SPDXRef-${at} DEPENDS_ON SPDXRef-${at + 1}\n`).join('')
const sbom: readonly Hostile[] = [
  ['an empty file', [''], 'refused'],
  ['a bill without components', [bill('')], 'named'],
  ['a component without a package URL', [bill('{"name":"a"}')], 'named'],
  ['components that are no objects', [bill('1,null,"a",[]')], 'refused'],
  ['a bill cut off', [bill(item(1)).slice(0, -5)], 'refused'],
  ['components nested 500 deep', [bill(`${'{"components":['.repeat(500)}${']}'.repeat(500)}`)], 'refused'],
  ['the same component very many times', [bill(many(million / 10, () => item(1)).join(','))], 'complete'],
  ['more components than the limit of 50,000', [bill(many(isFullVolume ? 100_000 : 50_001, item).join(','))], 'named'],
  ['a very long reference', [bill(item(long.slice(0, 2 * million)))], 'refused or named'],
  ['references of what every object has', [bill(`${item('__proto__')},${item('constructor')}`)], 'complete'],
  [
    'entities that would grow to a billion characters',
    [`<!DOCTYPE bom [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${xmlBill('<components/>')}`],
    'refused',
  ],
  [
    'an entity that names a file',
    [`<!DOCTYPE bom [<!ENTITY a SYSTEM "file:///etc/passwd">]>${xmlBill('')}`],
    'refused',
  ],
  ['elements nested 100,000 deep', [xmlBill('<components>'.repeat(100_000))], 'refused'],
  ['an attribute without an end', [xmlBill(`<components><component bom-ref="${'a='.repeat(100_000)}`)], 'refused'],
  ['a very long chain of relations without packages', [`SPDXVersion: SPDX-2.3\n${related}`], 'named'],
  ['a text without an end', ['SPDXVersion: SPDX-2.3\nPackageComment: <text>a'], 'refused'],
]

/** Inputs that break programs, for each ecosystem; those of npm are in hostile-manifests.test.ts. */
const packagist = { 'notification-url': 'https://packagist.example/downloads/' }
const locked = (name: string, version: unknown, more: object = {}) => ({ name, version, ...packagist, ...more })
const composerLock = (packages: unknown, more: object = {}) =>
  JSON.stringify({ _readme: [], packages, 'packages-dev': [], ...more })
const wantsGoodOfComposer = '{"require":{"php":"*","a/good":"^1"}}'
const goodOfComposer = composerLock([locked('a/good', '1.0.0')])
const composer: readonly Hostile[] = [
  ['an empty file', [''], 'refused'],
  ['a lock truncated within a package', [goodOfComposer.slice(0, 60), wantsGoodOfComposer], 'refused'],
  ['a merge conflict', [`<<<<<<< HEAD\n${goodOfComposer}\n=======\n>>>>>>> other\n`, wantsGoodOfComposer], 'refused'],
  ['a lock without the required package', [composerLock([]), wantsGoodOfComposer], 'named'],
  [
    'a package that requires a missing package',
    [composerLock([locked('a/good', '1', { require: { 'a/x': '1' } })])],
    'named',
  ],
  [
    'a package outside of the required range',
    [composerLock([locked('a/good', '2.0.0')]), wantsGoodOfComposer],
    'named',
  ],
  [
    'a content-hash of another manifest',
    [composerLock([locked('a/good', '1.0.0')], { 'content-hash': 'f'.repeat(32) }), wantsGoodOfComposer],
    'named',
  ],
  ['a manifest with a range that Composer refuses', [goodOfComposer, '{"require":{"a/good":"~>1"}}'], 'named'],
  ['a range that is no text', [goodOfComposer, '{"require":{"a/good":1}}'], 'refused'],
  ['a package without a version', [composerLock([locked('a/good', undefined)]), wantsGoodOfComposer], 'refused'],
  ['a version that is a number', [composerLock([locked('a/good', 1)]), wantsGoodOfComposer], 'refused'],
  ['a package without a name', [composerLock([{ version: '1.0.0' }]), wantsGoodOfComposer], 'refused'],
  [
    'a version that Composer refuses',
    [composerLock([locked('a/good', '1.0-x')]), '{"require":{"a/good":"*"}}'],
    'named',
  ],
  ['a package twice', [composerLock([locked('a/good', '1.0.0'), locked('A/good', '1.1.0')])], 'refused'],
  ['packages that are no objects', [composerLock(['a/good']), wantsGoodOfComposer], 'refused'],
  [
    'a list of packages that is an object',
    ['{"_readme":[],"packages":{"a/good":"1"}}', wantsGoodOfComposer],
    'refused',
  ],
  [
    'a package of another repository',
    [composerLock([{ name: 'a/good', version: '1.0.0' }]), wantsGoodOfComposer],
    'named',
  ],
  ['a branch', [composerLock([locked('a/good', 'dev-main')]), '{"require":{"a/good":"dev-main"}}'], 'named'],
  [
    'a very long version',
    [composerLock([locked('a/good', `1.${'9'.repeat(million)}`)]), wantsGoodOfComposer],
    'complete',
  ],
  ['a very long range', [goodOfComposer, `{"require":{"a/good":"${'^1 || '.repeat(million / 10)}^1"}}`], 'named'],
  ['names of object members', ['{"require":{"__proto__":"1","constructor":"1"},"autoload":{}}'], 'named'],
  [
    'packages that require each other',
    [
      composerLock([
        locked('a/good', '1', { require: { 'a/b': '*' } }),
        locked('a/b', '1', { require: { 'a/good': '*' } }),
      ]),
    ],
    'complete',
  ],
  [
    'a chain of packages beyond the limit',
    [composerLock(many(200_000 * quarter, (at) => locked(`a/p${at}`, '1', { require: { [`a/p${at + 1}`]: '*' } })))],
    'refused or named',
  ],
  ['two locks', [goodOfComposer, goodOfComposer], 'refused'],
]

const conanLock = (requires: unknown, more: object = {}) =>
  JSON.stringify({ version: '0.5', requires, build_requires: [], ...more })
const wantsGoodOfConan = '[requires]\ngood/[^1.0]\n'
const nodesOf = (nodes: object) => JSON.stringify({ version: '0.4', graph_lock: { nodes } })
const conan: readonly Hostile[] = [
  ['an empty file', [''], 'refused'],
  ['a truncated lock', [conanLock(['good/1.0']).slice(0, 30), wantsGoodOfConan], 'refused'],
  ['a merge conflict', [`<<<<<<< HEAD\n${conanLock(['good/1.0'])}\n=======\n`, wantsGoodOfConan], 'refused'],
  ['an unknown version of the lock', [conanLock(['good/1.0'], { version: '9.9' })], 'refused'],
  ['a lock without the required package', [conanLock([]), wantsGoodOfConan], 'named'],
  ['a package outside of the required range', [conanLock(['good/2.0']), wantsGoodOfConan], 'named'],
  ['a reference without a version', [conanLock(['good'])], 'refused'],
  ['references that are no texts', [conanLock([1, {}])], 'refused'],
  ['a list of references that is an object', [conanLock({ good: '1.0' }, { graph_lock: {} })], 'refused'],
  ['a package of another channel', [conanLock(['good/1.0@me/stable'])], 'named'],
  ['a package of the operating system', [conanLock(['good/system'])], 'named'],
  ['a snapshot without a release', [conanLock(['good/cci.20240101'])], 'named'],
  ['a requirement that Conan refuses', [conanLock(['good/1.0']), '[requires]\ngood/[==1.0]\n!\n'], 'named'],
  ['a range without a lock', [wantsGoodOfConan], 'named'],
  ['Conan 1: a graph without nodes', [JSON.stringify({ version: '0.4', graph_lock: {} })], 'refused'],
  ['Conan 1: a missing node', [nodesOf({ 0: { requires: ['1'] } })], 'named'],
  [
    'Conan 1: nodes that require each other',
    [nodesOf({ 0: { requires: ['1'] }, 1: { ref: 'a/1.0', requires: ['2'] }, 2: { ref: 'b/1.0', requires: ['1'] } })],
    'complete',
  ],
  ['Conan 1: a node that is no object', [nodesOf({ 0: 'good/1.0' })], 'refused'],
  ['a very long line', [`[requires]\n${long}\n`], 'named'],
  ['two locks', [conanLock(['good/1.0']), conanLock(['good/1.0'])], 'refused'],
]

const renvLock = (packages: unknown) => JSON.stringify({ R: { Version: '4.3.1' }, Packages: packages })
const ofCran = (Package: string, Version: unknown, more: object = {}) => ({
  [Package]: { Package, Version, Source: 'Repository', Repository: 'CRAN', ...more },
})
const renv: readonly Hostile[] = [
  ['an empty file', [''], 'refused'],
  ['a truncated lock', [renvLock(ofCran('good', '1.0')).slice(0, 60)], 'refused'],
  ['a merge conflict', [`<<<<<<< HEAD\n${renvLock(ofCran('good', '1.0'))}\n=======\n`], 'refused'],
  ['packages that are a list', [renvLock(['good'])], 'refused'],
  ['a package that is a text', [renvLock({ good: '1.0' })], 'refused'],
  ['a package without a version', [renvLock(ofCran('good', undefined))], 'refused'],
  ['a version that is a number', [renvLock(ofCran('good', 1))], 'refused'],
  ['another name inside of a package', [renvLock({ good: { Package: 'bad', Version: '1.0' } })], 'refused'],
  ['a version that R refuses', [renvLock(ofCran('good', '1.0-rc'))], 'named'],
  ['a missing package', [renvLock(ofCran('good', '1.0', { Requirements: ['R', 'other'] }))], 'named'],
  [
    'a version outside of a range',
    [renvLock({ ...ofCran('good', '1.0', { Imports: ['other (>= 2.0)'] }), ...ofCran('other', '1.0') })],
    'named',
  ],
  ['a package of another repository', [renvLock(ofCran('good', '1.0', { Repository: 'https://r.example' }))], 'named'],
  ['a package without a source', [renvLock({ good: { Package: 'good', Version: '1.0' } })], 'named'],
  ['a package of a git repository', [renvLock(ofCran('good', '1.0', { Source: 'GitHub', RemoteSha: 'f0' }))], 'named'],
  ['requirements that are no list', [renvLock(ofCran('good', '1.0', { Imports: 'other (>= 1), R' }))], 'named'],
  ['two locks', [renvLock({}), renvLock({})], 'refused'],
]

const stackLock = (...packages: readonly string[]) =>
  `packages:\n${packages.map((one) => `- completed:\n    ${one}\n`).join('')}snapshots: []\n`
const goodOfStack = stackLock('hackage: good-1.0@sha256:0123,45')
const wantsGoodOfStack = 'snapshot: lts-23.1\nextra-deps:\n- good-1.0\n'
const haskell: readonly Hostile[] = [
  ['an empty file', [''], 'refused'],
  ['a merge conflict', [`<<<<<<< HEAD\nconstraints: any.good ==1.0\n=======\n>>>>>>> other\n`], 'refused'],
  ['a merge conflict in a lock', [`<<<<<<< HEAD\n${goodOfStack}=======\n`], 'refused'],
  ['a truncated constraint', ['constraints: any.good ==1.0,\n  any.bad\n'], 'refused'],
  ['a range of versions', ['constraints: any.good >=1.0\n'], 'named'],
  ['a pinned prefix', ['constraints: any.good ==1.*\n'], 'named'],
  ['an installed package', ['constraints: any.good installed\n'], 'named'],
  ['another repository', ['active-repositories: house:merge\nconstraints: any.good ==1.0\n'], 'named'],
  ['a version with a leading zero', ['constraints: any.good ==01.0\n'], 'named'],
  ['a very long version', [`constraints: any.good ==1.${'9'.repeat(million)}\n`], 'named'],
  ['a lock without the required package', [stackLock('hackage: bad-1.0'), wantsGoodOfStack], 'named'],
  ['another version in the lock', [stackLock('hackage: good-1.1'), wantsGoodOfStack], 'named'],
  ['a snapshot', ['packages: []\nsnapshots:\n- original: lts-23.1\n'], 'named'],
  ['a package without a version', [stackLock('hackage: good'), wantsGoodOfStack], 'refused'],
  ['a package without a location', [stackLock('version: "1"'), wantsGoodOfStack], 'refused'],
  ['a package of git', [stackLock('git: https://git.example/good\n    version: "1.0"')], 'named'],
  ['packages that are a text', ['packages: good-1.0\nsnapshots: []\n'], 'refused'],
  ['an extra dependency without a version', [goodOfStack, 'resolver: lts-23.1\nextra-deps:\n- good\n'], 'refused'],
  ['names of object members', ['constraints: any.constructor ==1.0, any.toString ==1.0\n'], 'complete'],
  ['two locks', [goodOfStack, goodOfStack], 'refused'],
]

const nugetLock = (packages: object, more: object = {}) =>
  JSON.stringify({ version: 1, dependencies: { 'net8.0': packages }, ...more })
const direct = (version: unknown, more: object = {}) => ({
  type: 'Direct',
  requested: '[1.0.0, )',
  resolved: version,
  ...more,
})
const csproj = (content: string) =>
  `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>${content}</Project>`
const wantsGoodOfNuGet = csproj('<ItemGroup><PackageReference Include="Good" Version="1.0.0" /></ItemGroup>')
const goodOfNuGet = nugetLock({ Good: direct('1.0.0') })
const nuget: readonly Hostile[] = [
  ['an empty file', [''], 'refused'],
  ['a lock truncated within a package', [goodOfNuGet.slice(0, 60), wantsGoodOfNuGet], 'refused'],
  ['a project file truncated within an element', [wantsGoodOfNuGet.slice(0, -30), goodOfNuGet], 'refused'],
  ['a merge conflict', [`<<<<<<< HEAD\n${goodOfNuGet}\n=======\n>>>>>>> other\n`, wantsGoodOfNuGet], 'refused'],
  [
    'a merge conflict in the project file',
    [wantsGoodOfNuGet.replace('<ItemGroup>', '\n<<<<<<< HEAD\n$&'), goodOfNuGet],
    'refused',
  ],
  ['a lock of an unknown version', [nugetLock({ Good: direct('1.0.0') }, { version: 3 })], 'refused'],
  ['a lock without the required package', [nugetLock({}), wantsGoodOfNuGet], 'named'],
  ['a lock for another framework', [goodOfNuGet.replace('net8.0', 'net6.0'), wantsGoodOfNuGet], 'named'],
  ['a lock for another range', [goodOfNuGet, wantsGoodOfNuGet.replace('1.0.0', '2.0.0')], 'named'],
  ['a package outside of the required range', [nugetLock({ Good: direct('0.9.0') })], 'named'],
  [
    'a package that requires a missing package',
    [nugetLock({ Good: direct('1.0.0', { dependencies: { X: '1' } }) })],
    'named',
  ],
  ['a package without a version', [nugetLock({ Good: direct(undefined) }), wantsGoodOfNuGet], 'named'],
  ['a version that is a number', [nugetLock({ Good: direct(1) }), wantsGoodOfNuGet], 'refused or named'],
  ['a version that NuGet refuses', [nugetLock({ Good: direct('1.x') }), wantsGoodOfNuGet], 'named'],
  ['packages that differ in case only', [nugetLock({ Good: direct('1.0.0'), good: direct('1.1.0') })], 'refused'],
  ['a package that is no object', [nugetLock({ Good: '1.0.0' }), wantsGoodOfNuGet], 'refused'],
  ['two locks', [goodOfNuGet, goodOfNuGet], 'refused'],
  [
    'packages that require each other',
    [
      nugetLock({
        Good: direct('1.0.0', { dependencies: { B: '1.0.0' } }),
        B: { type: 'Transitive', resolved: '1.0.0', dependencies: { good: '1.0.0' } },
      }),
    ],
    'complete',
  ],
  [
    'a chain of packages beyond the limit',
    [
      nugetLock(
        Object.fromEntries(
          many(200_000 * quarter, (at) => [`P${at}`, direct('1.0.0', { dependencies: { [`P${at + 1}`]: '1.0.0' } })]),
        ),
      ),
    ],
    'refused or named',
  ],
  ['names of object members', [goodOfNuGet.replace('"Good"', '"__proto__"'), wantsGoodOfNuGet], 'named'],
  ['a floating version', [wantsGoodOfNuGet.replace('1.0.0', '1.*')], 'named'],
  ['a version that is a property of nothing', [wantsGoodOfNuGet.replace('1.0.0', '$(Good)')], 'named'],
  [
    'a property that contains itself twice',
    [
      wantsGoodOfNuGet
        .replace('<ItemGroup>', `<PropertyGroup>${'<V>$(V)$(V)1</V>'.repeat(60)}</PropertyGroup>$&`)
        .replace('1.0.0', '$(V)'),
    ],
    'refused or named',
  ],
  [
    'a condition nested beyond the limit',
    [wantsGoodOfNuGet.replace('<ItemGroup', `$& Condition="${'('.repeat(4_000)}true${')'.repeat(4_000)}"`)],
    'named',
  ],
  ['a packages.config without a version', ['<packages><package id="Good" /></packages>'], 'named'],
  ['a packages.config without a name', ['<packages><package version="1.0.0" /></packages>'], 'refused or named'],
]

export const hostileProjects: Readonly<Record<string, readonly Hostile[]>> = {
  haskell,
  ...hostileLocks,
  composer,
  nuget,
  conan,
  renv,
  yarn,
  pnpm,
  bun,
  rubygems,
  gomodules,
  govendor,
  pip,
  maven,
  gradle,
  poetry,
  uv,
  pipenv,
  pyproject,
  sbt,
  sbom,
}
