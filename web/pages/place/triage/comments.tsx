import { Button, Group, Stack, Text, Textarea, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  addComment,
  type Comment,
  deleteComment,
  editComment,
  listComments,
  type TriageScope,
} from '../../../api/triage.ts'
import { ConfirmButton } from '../../../components/confirm-button.tsx'
import { useCreation } from '../../../components/creation.tsx'
import { Note } from '../../../components/note.tsx'
import { ReadingAlert, RefusalAlert } from '../../../components/refusal-alert.tsx'
import { useSelf } from '../../../hooks/place.ts'
import { Age } from '../../../ui/relative-time.tsx'
import { SubmitForm } from '../../../ui/submit-form.tsx'
import { textField } from '../../../ui/text-field.ts'

const MAX_LENGTH = 5_000

/** The comments on a vulnerability, oldest first, and a form for another one. */
export function Comments({ kind, scope }: { kind: 'project' | 'target'; scope: TriageScope }) {
  const listKey = ['comments', scope.orgId, scope.issueId, scope.id]
  const reading = useQuery({ queryKey: listKey, queryFn: () => listComments(scope) })
  return (
    <Stack gap="sm" component="section" aria-label="Comments">
      <Title order={3} size="h5">
        Comments
      </Title>
      <ReadingAlert title="Could not load the comments" reading={reading} />
      {reading.data && reading.data.length > 0 && (
        <ul className="list plain">
          {reading.data.map((comment) => (
            <li key={comment.id}>
              <Entry orgId={scope.orgId} comment={comment} listKey={listKey} isInProject={kind === 'project'} />
            </li>
          ))}
        </ul>
      )}
      <NewComment scope={scope} listKey={listKey} />
    </Stack>
  )
}

interface EntryProps {
  readonly orgId: string
  readonly comment: Comment
  readonly listKey: readonly unknown[]
  readonly isInProject: boolean
}

function Entry({ orgId, comment: { id, attributes }, listKey, isInProject }: EntryProps) {
  const self = useSelf()
  const [isEditing, setEditing] = useState(false)
  const { author, body, scope, created_at: createdAt, updated_at: updatedAt } = attributes
  const isOwn = self.data?.id === author.id
  return (
    <Stack gap={4} py={4}>
      <Group gap="xs">
        <Text span size="sm" fw={600}>
          {author.name}
        </Text>
        <Note>
          <Age time={createdAt} />
          {updatedAt !== createdAt && ' · edited'}
          {isInProject && scope === 'repository' && ' · in the whole repository'}
        </Note>
      </Group>
      {isEditing ? (
        <EditForm orgId={orgId} id={id} body={body} listKey={listKey} onDone={() => setEditing(false)} />
      ) : (
        <Text size="sm" className="breakable" style={{ whiteSpace: 'pre-wrap' }}>
          {body}
        </Text>
      )}
      {isOwn && !isEditing && (
        <Group gap="xs">
          <Button variant="default" size="compact-sm" onClick={() => setEditing(true)}>
            Edit
          </Button>
          <ConfirmButton
            action="Delete"
            name="Delete comment"
            size="compact-sm"
            title="Delete this comment?"
            verb="Delete comment"
            failure="Comment not deleted"
            changes={[listKey]}
            run={() => deleteComment(orgId, id)}
          >
            The audit log keeps its text. This cannot be undone.
          </ConfirmButton>
        </Group>
      )}
    </Stack>
  )
}

interface EditProps extends Pick<EntryProps, 'orgId' | 'listKey'> {
  readonly id: string
  readonly body: string
  readonly onDone: () => void
}

function EditForm({ orgId, id, body, listKey, onDone }: EditProps) {
  const [text, setText] = useState(body)
  const queries = useQueryClient()
  const saving = useMutation({
    mutationFn: () => editComment(orgId, id, text),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: listKey })
      onDone()
    },
  })
  return (
    <SubmitForm onSubmit={() => saving.mutate()} aria-label="Edit comment">
      <Stack gap="xs">
        <CommentField label="Comment" value={text} onChange={setText} />
        {saving.error && <RefusalAlert title="Comment not saved" error={saving.error} />}
        <Group gap="xs">
          <Button type="submit" size="xs" loading={saving.isPending} disabled={text.trim() === ''}>
            Save comment
          </Button>
          <Button variant="default" size="xs" onClick={onDone}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </SubmitForm>
  )
}

function NewComment({ scope, listKey }: { scope: TriageScope; listKey: readonly unknown[] }) {
  const [text, setText] = useState('')
  const adding = useCreation({
    create: (body: string, key) => addComment(scope, body, key),
    listKey: [...listKey],
    onCreated: () => setText(''),
  })
  return (
    <SubmitForm onSubmit={() => adding.mutate(text)} aria-label="New comment">
      <Stack gap="xs">
        <CommentField label="Add a comment" value={text} onChange={setText} />
        {adding.error && <RefusalAlert title="Comment not added" error={adding.error} />}
        <Group>
          <Button type="submit" variant="default" size="xs" loading={adding.isPending} disabled={text.trim() === ''}>
            Comment
          </Button>
        </Group>
      </Stack>
    </SubmitForm>
  )
}

function CommentField({ label, value, onChange }: { label: string; value: string; onChange: (text: string) => void }) {
  return (
    <Textarea label={label} {...textField(value, onChange)} autosize minRows={2} maxRows={10} maxLength={MAX_LENGTH} />
  )
}
