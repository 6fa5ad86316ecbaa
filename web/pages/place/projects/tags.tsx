import { ActionIcon, Badge, Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { changeTag } from '../../../api/projects.ts'
import type { Tag } from '../../../api/resources.ts'
import { Note } from '../../../components/note.tsx'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { CrossIcon } from '../../../ui/icons.tsx'
import { Section } from '../../../ui/section.tsx'
import { textField } from '../../../ui/text-field.ts'
import type { OfProject } from './of-project.ts'
import styles from './tags.module.css'
import { useChange } from './use-change.ts'

const none: Tag = { key: '', value: '' }

export function ProjectTags(of: OfProject) {
  const { orgId, project } = of
  const [input, setWanted] = useState(none)
  const key = useRef<HTMLInputElement>(null)
  const at = { orgId, id: project.id }
  const adding = useChange(of, (tag: Tag) => changeTag(at, tag, 'add'))
  const removing = useChange(of, (tag: Tag) => changeTag(at, tag, 'remove'))

  function add(event: FormEvent) {
    event.preventDefault()
    const form = event.currentTarget
    removing.reset()
    adding.mutate(input, {
      onSuccess: () => {
        setWanted(none)
        returnFocus(form)
      },
    })
  }
  function remove(tag: Tag, pressed: Element) {
    adding.reset()
    removing.mutate(tag, { onSuccess: () => returnFocus(pressed) })
  }
  /**
   * Focuses the field for the next tag if the pressed button is gone. Does nothing if the user has moved the focus
   * meanwhile.
   */
  function returnFocus(pressed: Element) {
    const focused = document.activeElement
    if (focused === null || focused === document.body || pressed.contains(focused)) key.current?.focus()
  }

  const { tags } = project.attributes
  const error = adding.error ?? removing.error
  return (
    <Section title="Tags">
      {tags.length === 0 ? (
        <Note size="sm">No tags yet. A tag has a key and a value, such as team and payments.</Note>
      ) : (
        <ul className={styles['tags']} aria-label="Tags">
          {tags.map((tag) => (
            <li key={tagName(tag)} className={styles['tag']}>
              <TagBadge tag={tag} />
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove tag ${tagName(tag)}`}
                disabled={removing.isPending}
                onClick={(event) => remove(tag, event.currentTarget)}
              >
                <CrossIcon />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={add} aria-label="New tag">
        <Group align="flex-end" gap="sm">
          <TextInput
            ref={key}
            label="Key"
            {...textField(input.key, (key) => setWanted({ ...input, key }))}
            maxLength={30}
            spellCheck={false}
            required
          />
          <TextInput
            label="Value"
            {...textField(input.value, (value) => setWanted({ ...input, value }))}
            maxLength={256}
            spellCheck={false}
            required
          />
          <Button type="submit" variant="default" loading={adding.isPending}>
            Add tag
          </Button>
        </Group>
      </form>
      {error && <RefusalAlert title="Tags not saved" error={error} />}
    </Section>
  )
}

export function TagBadge({ tag }: { tag: Tag }) {
  return (
    <Badge
      variant="default"
      radius="sm"
      tt="none"
      className="breakable"
      h="auto"
      styles={{ label: { whiteSpace: 'normal' } }}
    >
      {tagName(tag)}
    </Badge>
  )
}

export function tagName({ key, value }: Tag): string {
  return `${key}: ${value}`
}
