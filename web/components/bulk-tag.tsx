import { Group, Progress, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changeTag } from '../api/projects.ts'
import { Modal } from '../ui/dialogs.tsx'
import { textField } from '../ui/text-field.ts'
import { DialogForm } from './form-dialog.tsx'

interface Props {
  readonly orgId: string
  /** Called when the tag is submitted, since the projects may have to be looked up. */
  readonly findProjects: () => Promise<readonly string[]>
  /** Called with the number of projects that now have the tag. */
  readonly onDone: (tagged: number) => void
  readonly onClose: () => void
}

/** Adds a tag to projects, one after the other. Projects with the tag stay as they are. */
export function BulkTag({ orgId, findProjects, onDone, onClose }: Props) {
  const [tag, setTag] = useState({ key: '', value: '' })
  const [progress, setProgress] = useState({ done: 0, total: 0 })
  const queries = useQueryClient()
  const saving = useMutation({
    mutationFn: async () => {
      const ids = await findProjects()
      for (const [done, id] of ids.entries()) {
        setProgress({ done, total: ids.length })
        await changeTag({ orgId, id }, { key: tag.key.trim(), value: tag.value.trim() }, 'add')
      }
      return ids.length
    },
    onSettled: () => {
      for (const name of ['projects', 'project']) void queries.invalidateQueries({ queryKey: [name, orgId] })
    },
    onSuccess: onDone,
  })
  const { isPending } = saving
  const isIncomplete = tag.key.trim() === '' || tag.value.trim() === ''
  return (
    <Modal opened onClose={isPending ? () => {} : onClose} title="Tag projects" centered>
      <DialogForm
        action="Add tag"
        failure={`Stopped after ${progress.done.toLocaleString()} of ${progress.total.toLocaleString()} projects`}
        saving={saving}
        isDisabled={isIncomplete}
        onSubmit={() => {
          setProgress({ done: 0, total: 0 })
          saving.mutate()
        }}
        onCancel={onClose}
      >
        <Group grow align="flex-start">
          <TextInput
            label="Key"
            placeholder="team"
            {...textField(tag.key, (key) => setTag({ ...tag, key }))}
            maxLength={30}
            spellCheck={false}
            required
            data-autofocus
          />
          <TextInput
            label="Value"
            placeholder="payments"
            {...textField(tag.value, (value) => setTag({ ...tag, value }))}
            maxLength={256}
            spellCheck={false}
            required
          />
        </Group>
        {isPending && progress.total > 0 && (
          <Stack gap={4}>
            <Progress value={(100 * progress.done) / progress.total} aria-label="Tagged projects" />
            <Text size="sm" role="status">
              {progress.done.toLocaleString()} of {progress.total.toLocaleString()}
            </Text>
          </Stack>
        )}
      </DialogForm>
    </Modal>
  )
}
