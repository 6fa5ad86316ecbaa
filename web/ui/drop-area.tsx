import { Button, Text } from '@mantine/core'
import { type DragEvent, useRef, useState } from 'react'
import styles from './drop-area.module.css'
import { FileIcon } from './icons.tsx'

interface Props {
  readonly words: string
  /** Label of the button. */
  readonly action: string
  /** Label of the hidden field. */
  readonly label: string
  readonly accept: string
  readonly isMultiple?: boolean
  readonly isDisabled?: boolean
  readonly onFiles: (files: readonly File[]) => void
}

/** A drop area for the mouse, with a button for other input. */
export function DropArea({ words, action, label, accept, isMultiple, isDisabled, onFiles }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)

  function take(files: FileList | null) {
    if (files === null || files.length === 0 || isDisabled) return
    onFiles(isMultiple ? [...files] : [files[0]!])
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a drop target; the button in it does the same
    <div
      className={styles['drop']}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FileIcon size={28} />
      <Text size="sm">{words}</Text>
      <Button variant="default" size="xs" disabled={isDisabled ?? false} onClick={() => input.current?.click()}>
        {action}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={isMultiple ?? false}
        hidden
        aria-label={label}
        onChange={(event) => {
          take(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
    </div>
  )
}
