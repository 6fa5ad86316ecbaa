import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { RefusalAlert } from '../../components/refusal-alert.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

interface Props {
  readonly groupId: string
  readonly user: { readonly id: string; readonly attributes: { readonly name: string } }
}

/** Removes the second factors of a member who lost them. */
export function FactorReset({ groupId, user }: Props) {
  const [isOpen, { open, close }] = useDisclosure()
  const resetting = useMutation({
    mutationFn: () => call('deleteFactorsOfUser', { params: { group_id: groupId, user_id: user.id } }),
    onSuccess: close,
  })
  const { name } = user.attributes

  function begin() {
    resetting.reset()
    open()
  }

  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={`Reset second factors of ${name}`} onClick={begin}>
        Reset second factors
      </Button>
      <ConfirmDialog
        title={`Reset the second factors of ${name}?`}
        verb="Reset second factors"
        isOpen={isOpen}
        isBusy={resetting.isPending}
        onConfirm={() => resetting.mutate()}
        onClose={close}
      >
        {resetting.error && <RefusalAlert title="Not reset" error={resetting.error} />}
        {name} is signed out everywhere, and can then sign in with the password alone. Verify first that {name} asked
        for this. This cannot be undone.
      </ConfirmDialog>
    </>
  )
}
