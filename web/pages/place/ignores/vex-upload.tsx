import { Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { uploadVex } from '../../../api/policies.ts'
import type { VexUpload } from '../../../api/resources.ts'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import type { ConsoleScope } from '../../../navigation/paths.ts'
import { Modal } from '../../../ui/dialogs.tsx'
import { DropArea } from '../../../ui/drop-area.tsx'
import { countOf } from '../../../ui/words.ts'
import { keysOfRules } from './read-again.ts'

/** Turns the statements of a VEX document into rules. */
export function VexUploadButton({ place }: { place: ConsoleScope }) {
  const [isOpen, { open, close }] = useDisclosure()
  const queries = useQueryClient()
  const sending = useMutation({
    mutationFn: (file: File) => uploadVex(place, file),
    onSuccess: () => {
      for (const queryKey of keysOfRules(place)) void queries.invalidateQueries({ queryKey })
    },
  })
  return (
    <>
      <Button
        variant="default"
        onClick={() => {
          sending.reset()
          open()
        }}
      >
        Upload VEX
      </Button>
      <Modal opened={isOpen} onClose={close} title="Upload VEX document" centered>
        <Stack>
          <Text size="sm">
            Statements “not affected” and “fixed” become rules with their justification. A newer version of a document
            replaces its rules.
          </Text>
          <DropArea
            words="OpenVEX, CycloneDX or CSAF, as JSON"
            action="Choose file"
            label="VEX document"
            accept="application/json,.json"
            isDisabled={sending.isPending}
            onFiles={([file]) => file && sending.mutate(file)}
          />
          {sending.data && (
            <Text size="sm" role="status">
              {wordsOf(sending.data)}
            </Text>
          )}
          {sending.error && <RefusalAlert title="Document not accepted" error={sending.error} />}
        </Stack>
      </Modal>
    </>
  )
}

function wordsOf({ policies, statements }: VexUpload): string {
  const { created, updated, unchanged, withdrawn } = policies
  const changes = [
    `${countOf(created, 'rule')} created`,
    `${updated.toLocaleString()} updated`,
    `${unchanged.toLocaleString()} unchanged`,
    `${withdrawn.toLocaleString()} withdrawn`,
  ]
  const unmatched =
    statements.unmatched > 0
      ? ` ${countOf(statements.unmatched, 'statement')} named no package of a supported ecosystem.`
      : ''
  return `${changes.join(', ')}.${unmatched}`
}
