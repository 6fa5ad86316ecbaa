/** A property of Maven or a value of Groovy, which looks like a placeholder of ours. */
const property = (name: string) => `\${${name}}`

/** What, the files, and what must come of them: a 400, a result that names what is missing, or a complete one. */
export type Hostile = readonly [
  what: string,
  files: readonly [string, ...string[]],
  outcome: 'refused' | 'named' | 'refused or named' | 'complete',
]

const million = 1_000_000
const long = 'x'.repeat(10 * million)
const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

const v1 = '# yarn lockfile v1\n\n\n'
const wantsGood = '{"dependencies":{"good":"1"}}'
const berry = '__metadata:\n  version: 8\n\n'
const yarn: readonly Hostile[] = [
  ['an empty file', [''], 'refused'],
  ['a lock cut off in a block', [wantsGood, `${v1}good@1:\n  version "1.0.0`], 'refused or named'],
  ['a lock without what is asked for', [wantsGood, `${v1}other@1:\n  version "1.0.0"\n`], 'named'],
  ['a block without a version', [wantsGood, `${v1}good@1:\n  resolved "a"\n`], 'refused or named'],
  [
    'an entry that asks for what is not there',
    [wantsGood, `${v1}good@1:\n  version "1.0.0"\n  dependencies:\n    x "1"\n`],
    'named',
  ],
  ['a merge conflict', [wantsGood, `${v1}<<<<<<< HEAD\ngood@1:\n  version "1.0.0"\n=======\n`], 'refused'],
  [
    'a line of ten million characters',
    [wantsGood, `${v1}good@1:\n  version "1.0.0"\n  resolved "${long}"\n`],
    'complete',
  ],
  ['a name of ten million characters', [`{"dependencies":{"${long}":"1"}}`, v1], 'refused or named'],
  [
    'blocks nested 2,000 deep',
    [wantsGood, `${v1}good@1:\n${many(2_000, (at) => `${' '.repeat(at * 2 + 2)}a:\n`).join('')}`],
    'refused or named',
  ],
  [
    'names of what every object has',
    ['{"dependencies":{"__proto__":"1","constructor":"1"}}', `${v1}constructor@1:\n  version "1.0.0"\n`],
    'named',
  ],
  ['berry: aliases of YAML', [wantsGood, `${berry}a: &a [x]\nb: [*a, *a]\n`], 'refused or named'],
  [
    'berry: a bomb of aliases',
    [wantsGood, `${berry}${many(30, (at) => `a${at}: &a${at} [${`*a${at - 1}, `.repeat(9)}]\n`).join('')}`],
    'refused or named',
  ],
  ['berry: keys of objects', [wantsGood, `${berry}"__proto__":\n  version: 1.0.0\n`], 'refused or named'],
  ['two locks', [wantsGood, v1, v1], 'refused'],
]

const gems = (specs: string, asked: string) =>
  `GEM\n  remote: https://registry.example/\n  specs:\n${specs}\nDEPENDENCIES\n${asked}`
const rubygems: readonly Hostile[] = [
  ['an empty file', [''], 'refused'],
  ['a lock cut off', ['GEM\n  specs:\n    good (1.0)\n'], 'refused'],
  ['a gem without a version', [gems('    good\n', '  good\n')], 'refused'],
  ['a lock without what is asked for', [gems('    other (1.0)\n', '  good\n')], 'named'],
  ['a gem that asks for what is not there', [gems('    good (1.0)\n      x\n', '  good\n')], 'named'],
  ['a merge conflict', [gems('<<<<<<< HEAD\n    good (1.0)\n=======\n', '  good\n')], 'refused'],
  ['a line of ten million characters', [gems('    good (1.0)\n', `  good\n  ${long}\n`)], 'named'],
  ['a Gemfile that evaluates', ['eval File.read("/etc/passwd")\ngem "good"\n'], 'named'],
  ['a Gemfile that runs a command', ['gem "good", `id`\n'], 'named'],
  ['a Gemfile that reads another', ['eval_gemfile "../../../etc/passwd"\ngem "good"\n'], 'named'],
  ['a Gemfile with a computed name', ['gem ENV["A"]\ngem "good"\n'], 'named'],
  ['a Gemfile of 100,000 open blocks', [`${'group :a do\n'.repeat(100_000)}gem "good"\n`], 'refused or named'],
  ['a Gemfile of one line of ten million', [`gem "good" # ${long}`], 'named'],
  ['a gem from a path', ['gem "good", path: "/etc"\n'], 'named'],
  ['a gem called as what every object has', ['gem "constructor"\ngem "__proto__"\n'], 'named'],
]

const revision = '0123456789abcdef0123456789abcdef01234567'
const vendored = (packages: unknown) => JSON.stringify({ rootPath: 'a.example/b', package: packages })
const govendor: readonly Hostile[] = [
  ['an empty file', [''], 'refused'],
  ['cut off', [vendored([{ path: 'github.com/a/b', revision }]).slice(0, -20)], 'refused'],
  ['packages that are no list', [vendored('x')], 'refused'],
  ['a package that is no object', [vendored([1])], 'refused or named'],
  ['a package without a path', [vendored([{ revision }])], 'refused or named'],
  ['a package without a revision', [vendored([{ path: 'github.com/a/b' }])], 'named'],
  ['a revision that is none', [vendored([{ path: 'github.com/a/b', revision: '../../x' }])], 'named'],
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
  ['lists in lists', ['['.repeat(million)], 'refused'],
  ['keys of objects', ['{"__proto__":{"package":[]},"package":[{"path":"__proto__","revision":"1"}]}'], 'named'],
  ['a path of ten million characters', [vendored([{ path: `github.com/a/${long}`, revision }])], 'refused or named'],
]

const pip: readonly Hostile[] = [
  ['nothing that can be read', ['\0\0\0'], 'refused or named'],
  ['a page', ['<html>\n<body>'], 'refused or named'],
  ['contradicting pins', ['good==1.0\ngood==2.0\n'], 'refused or named'],
  ['a file that is not there', ['-r other.txt\n'], 'named'],
  ['a file of the machine', ['-r /etc/passwd\n-c ../../../etc/passwd\n'], 'named'],
  ['a file that includes itself', ['-r requirements.txt\ngood\n'], 'refused or named'],
  ['an editable path', ['-e /etc\n'], 'named'],
  ['a repository', ['git+https://registry.example/a.git#egg=a\n'], 'named'],
  ['a variable', [`good==${property('SECRET')}\n`], 'refused or named'],
  ['an unknown option', ['--what-is-this x\ngood\n'], 'refused or named'],
  ['an index of the machine', ['--index-url file:///etc\ngood\n'], 'refused or named'],
  ['an index inside', ['--index-url http://10.0.0.1/simple\ngood\n'], 'refused or named'],
  [
    'a marker of 10,000 brackets',
    [`good; ${'('.repeat(10_000)}python_version > "3"${')'.repeat(10_000)}\n`],
    'refused or named',
  ],
  ['a marker that is none', ['good; __import__("os")\n'], 'refused or named'],
  ['a line of ten million characters', [`good # ${long}\ngone==${long}\n`], 'refused or named'],
  ['lines that go on for ever', [`good\\\n${'\\\n'.repeat(300_000)}`], 'complete'],
  ['names of what every object has', ['constructor\ntoString\n__proto__\n'], 'refused or named'],
  ['extras without end', [`good[${'a,'.repeat(100_000)}a]\n`], 'refused or named'],
]

const project = (inside: string) =>
  `<project><modelVersion>4.0.0</modelVersion><groupId>t</groupId><artifactId>t</artifactId><version>1</version>${inside}</project>`
const depends = (name: string, version = '1.0', more = '') =>
  `<dependencies><dependency><groupId>g</groupId><artifactId>${name}</artifactId><version>${version}</version>${more}</dependency></dependencies>`
const parent = (name: string) =>
  `<parent><groupId>g</groupId><artifactId>${name}</artifactId><version>1.0</version></parent>`
const maven: readonly Hostile[] = [
  ['an empty file', [''], 'refused'],
  ['cut off', [project(depends('good')).slice(0, -30)], 'refused'],
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
    'an entity of the machine',
    [`<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]>${project(depends('&x;'))}`],
    'refused or named',
  ],
  ['elements nested 100,000 deep', [`<project>${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}</project>`], 'refused'],
  ['a text of ten million characters', [project(`<description>${long}</description>${depends('good')}`)], 'complete'],
  ['an attribute of ten million', [project(depends('good')).replace('<project>', `<project a="${long}">`)], 'complete'],
  [
    'names of what every object has',
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
    'a repository inside',
    [
      project(
        `<repositories><repository><id>r</id><url>http://10.0.0.1/</url></repository></repositories>${depends('good')}`,
      ),
    ],
    'complete',
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
    [`${java}${'dependencies {\n'.repeat(50_000)}implementation 'g:gone:1'`],
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
  [
    'a line of ten million characters',
    [`${java}// ${long}\ndependencies { implementation 'g:${long}:1' }\n`],
    'refused or named',
  ],
  ['a missing catalogue', [`${java}dependencies { implementation libs.good }\n`], 'named'],
  [
    'names of what every object has',
    [`${java}dependencies { implementation "g:good:\${constructor}"\nimplementation libs.constructor }\n`],
    'refused or named',
  ],
  ['strings in strings', [`${java}dependencies { implementation "${'${"'.repeat(20_000)}" }\n`], 'refused or named'],
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
  [
    'a line of ten million characters',
    [`// ${long}\nlibraryDependencies += "g" % "${long}" % "1"\n`],
    'refused or named',
  ],
  [
    'comments in comments',
    [`${'/*'.repeat(100_000)}\nlibraryDependencies += "g" % "gone" % "1"\n`],
    'refused or named',
  ],
  ['what another file defines', ['libraryDependencies ++= Dependencies.all\n'], 'named'],
  [
    'names of what every object has',
    ['libraryDependencies += "g" % "good" % constructor\nlibraryDependencies += toString\n'],
    'refused or named',
  ],
]

/** Inputs that break programs, for each ecosystem; those of npm are in hostile-manifests.test.ts. */
export const hostileProjects: Readonly<Record<string, readonly Hostile[]>> = {
  yarn,
  rubygems,
  govendor,
  pip,
  maven,
  gradle,
  sbt,
}
