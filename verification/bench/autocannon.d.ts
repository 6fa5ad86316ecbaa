declare module 'autocannon' {
  interface Client {
    setRequests(requests: readonly object[]): void
  }
  interface Options {
    readonly url: string
    readonly connections: number
    readonly duration: number
    setupClient(client: Client): void
  }
  export default function autocannon(options: Options): Promise<object>
}
