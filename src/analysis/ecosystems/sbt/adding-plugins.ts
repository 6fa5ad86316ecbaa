/** Plugins that add packages to what a project is made of. */
const ADDING =
  /^(?:Play(?:Scala|Java|Service|MinimalJava|MinimalScala|AkkaHttp\w*|Netty\w*|Web)?|Lagom\w+|SbtTwirl|\w*ScalaJSPlugin|\w*ScalaNativePlugin|(?:Akka|Pekko)Grpc\w*|ScalatraPlugin|Fs2Grpc)$/

/** True when a plugin of sbt, by its name in the build, is known to add packages to the project. */
export function addsPackages(name: string): boolean {
  return ADDING.test(name.split('.').at(-1) ?? name)
}
