/** What an ecosystem's project looks like that asks for one package, in any version, without a lock. */
export const bareProjects: Readonly<Record<string, (name: string) => readonly [string, ...string[]]>> = {
  npm: (name) => [JSON.stringify({ dependencies: { [name]: '*' } })],
  yarn: (name) => [JSON.stringify({ dependencies: { [name]: '*' } })],
  rubygems: (name) => [`source "https://registry.example"\ngem "${name}"\n`],
  pip: (name) => [`${name}\n`],
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
export const registryOfEcosystem: Readonly<Record<string, 'npm' | 'rubygems' | 'pypi' | 'maven'>> = {
  npm: 'npm',
  yarn: 'npm',
  rubygems: 'rubygems',
  pip: 'pypi',
  maven: 'maven',
  gradle: 'maven',
  sbt: 'maven',
}
