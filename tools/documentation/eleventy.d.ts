/** The part of Eleventy that builds the site; the package has no types. */
declare module '@11ty/eleventy' {
  type Plugin = (config: Config, options: never) => void

  export interface Config {
    addPlugin(plugin: Plugin, options?: object): void
    addPassthroughCopy(targets: Readonly<Record<string, string>>): void
    addGlobalData(name: string, value: unknown): void
    addTemplate(path: string, template: object | string, data?: object): void
    readonly benchmarkManager: { getAll(): Readonly<Record<string, { setIsVerbose(isVerbose: boolean): void }>> }
    amendLibrary(extension: 'md', amend: (library: import('./markdown.ts').Markdown) => void): void
  }

  export const HtmlBasePlugin: Plugin
  export const InputPathToUrlTransformPlugin: Plugin

  export default class Eleventy {
    constructor(
      input: string,
      output: string,
      options: { quietMode: boolean; configPath: string; pathPrefix: string; config(config: Config): void },
    )
    disableLogger(): void
    write(): Promise<unknown>
  }
}
