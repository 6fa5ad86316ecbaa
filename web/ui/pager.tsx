import { Button, Group } from '@mantine/core'

interface Props {
  readonly label: string
  readonly onPrevious: (() => void) | undefined
  readonly onNext: (() => void) | undefined
}

/** Previous and next buttons: lists have no page numbers. Renders nothing for a list of one page. */
export function Pager({ label, onPrevious, onNext }: Props) {
  if (!onPrevious && !onNext) return null
  return (
    <Group component="nav" aria-label={label} justify="flex-end" gap="xs">
      <Button variant="default" size="sm" disabled={!onPrevious} onClick={onPrevious} aria-keyshortcuts="[">
        Previous
      </Button>
      <Button variant="default" size="sm" disabled={!onNext} onClick={onNext} aria-keyshortcuts="]">
        Next
      </Button>
    </Group>
  )
}
