/** A project per ecosystem that requires one package in any version, without a lock. */
export const bareProjects: Readonly<Record<string, (name: string) => readonly [string, ...string[]]>> = {
  npm: (name) => [JSON.stringify({ dependencies: { [name]: '*' } })],
  yarn: (name) => [JSON.stringify({ dependencies: { [name]: '*' } })],
  pnpm: (name) => [JSON.stringify({ dependencies: { [name]: '*' } })],
  gomodules: (name) => [`module example.com/p\n\ngo 1.16\n\nrequire example.com/${name} v1.0.0\n`],
  bun: (name) => [JSON.stringify({ dependencies: { [name]: '*' } })],
  rubygems: (name) => [`source "https://registry.example"\ngem "${name}"\n`],
  pip: (name) => [`${name}\n`],
  pipenv: (name) => [`[packages]\n${name} = "*"\n`],
  pyproject: (name) => [`[project]\nname = "t"\ndependencies = ["${name}"]\n`],
  maven: (name) => [
    `<project><modelVersion>4.0.0</modelVersion><groupId>t</groupId><artifactId>t</artifactId><version>1</version>
    <dependencies><dependency><groupId>g</groupId><artifactId>${name}</artifactId><version>1.0</version></dependency></dependencies></project>`,
  ],
  gradle: (name) => [
    `plugins { id 'java' }\nrepositories { mavenCentral() }\ndependencies { implementation 'g:${name}:1.0' }\n`,
  ],
  sbt: (name) => [
    `autoScalaLibrary := false\nscalaVersion := "2.13.12"\nlibraryDependencies += "g" % "${name}" % "1.0"\n`,
  ],
}

/** The registry that such a project asks. */
export const registryOfEcosystem: Readonly<Record<string, 'npm' | 'rubygems' | 'pypi' | 'maven' | 'go'>> = {
  npm: 'npm',
  yarn: 'npm',
  pnpm: 'npm',
  gomodules: 'go',
  bun: 'npm',
  rubygems: 'rubygems',
  pip: 'pypi',
  pipenv: 'pypi',
  pyproject: 'pypi',
  maven: 'maven',
  gradle: 'maven',
  sbt: 'maven',
}
