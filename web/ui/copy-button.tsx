import { Button } from '@mantine/core'
import { useState } from 'react'
import { CheckIcon, CopyIcon } from './icons.tsx'

interface Props {
  readonly text: string
  selectText(): void
  /** Id of the element that describes the copied text, if a page has several buttons. */
  readonly describedBy?: string
}

/**
 * Copies text and reports the result visibly and to screen readers. `selectText` selects the text if the browser
 * forbids copying.
 */
export function CopyButton({ text, selectText, describedBy }: Props) {
  const [outcome, setOutcome] = useState<'idle' | 'copied' | 'selected'>('idle')

  async function copy() {
    try {
      // The clipboard is only available on secure origins.
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
    } catch {
      selectText()
      setOutcome('selected')
    }
  }

  const words = { idle: 'Copy', copied: 'Copied', selected: 'Selected: press Ctrl+C' }
  return (
    <Button
      onClick={copy}
      variant="default"
      leftSection={outcome === 'copied' ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
      aria-live="polite"
      aria-describedby={describedBy}
    >
      {words[outcome]}
    </Button>
  )
}
