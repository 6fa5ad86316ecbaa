import { useState } from 'react'

interface State {
  readonly isRunning: boolean
  readonly error?: unknown
}

/** Runs an action of a form, one at a time, and keeps its failure until the next run. Needs no query client. */
export function useAction<Input extends readonly unknown[]>(action: (...input: Input) => Promise<void>) {
  const [{ isRunning, error }, setState] = useState<State>({ isRunning: false })

  async function run(...input: Input): Promise<void> {
    if (isRunning) return
    setState({ isRunning: true })
    try {
      await action(...input)
      setState({ isRunning: false })
    } catch (failure) {
      setState({ isRunning: false, error: failure })
    }
  }

  return { run, isRunning, error }
}
