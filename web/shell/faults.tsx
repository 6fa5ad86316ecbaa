import { Component, type ReactNode } from 'react'
import { Broken } from './broken.tsx'

interface Props {
  /** Changing the value renders the children again. */
  readonly resetKey?: unknown
  readonly children: ReactNode
}

interface State {
  readonly fault?: { readonly error: unknown } | undefined
  readonly resetKey?: unknown
}

/** Shows an error instead of the component that failed. A class, because React has no error boundary for functions. */
export class Faults extends Component<Props, State> {
  override state: State = {}

  static getDerivedStateFromError(error: unknown): State {
    return { fault: { error } }
  }

  static getDerivedStateFromProps({ resetKey }: Props, state: State): State | null {
    return 'resetKey' in state && state.resetKey === resetKey ? null : { resetKey, fault: undefined }
  }

  override render() {
    const { fault } = this.state
    return fault ? <Broken error={fault.error} /> : this.props.children
  }
}
