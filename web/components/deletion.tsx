import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useNavigate } from '../router/react.tsx'
import { Section } from '../ui/section.tsx'
import { ConfirmButton } from './confirm-button.tsx'

interface Words {
  readonly words: ReactNode
  /** The consequences, shown before the end. */
  readonly children: ReactNode
  /** Query keys of the lists that lose an entry. */
  readonly listKeys: readonly (readonly unknown[])[]
  readonly backTo: string
  remove(): Promise<unknown>
}

interface EndProps extends Words {
  readonly heading: string
  /** Label of the button. */
  readonly action: string
  /** Title of the dialog. */
  readonly title: string
  readonly verb: string
  readonly failure: string
}

/** Ends the resource of the page after a confirmation, and leaves the page. */
export function End({ heading, words, listKeys, backTo, remove, ...dialog }: EndProps) {
  const navigate = useNavigate()
  return (
    <Section title={heading}>
      <Group justify="space-between" gap="sm">
        <span>{words}</span>
        <ConfirmButton
          {...dialog}
          color="red"
          variant="outline"
          changes={listKeys}
          onDone={() => navigate(backTo, { replace: true })}
          run={remove}
        />
      </Group>
    </Section>
  )
}

interface DeletionProps extends Words {
  readonly name: string
  /** The noun in "Delete this …". */
  readonly kind: string
}

export function Deletion({ name, kind, ...words }: DeletionProps) {
  return (
    <End
      {...words}
      heading="Delete"
      action={`Delete this ${kind}`}
      title={`Delete ${name}?`}
      verb="Delete"
      failure="Not deleted"
    />
  )
}
