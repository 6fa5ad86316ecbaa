import { useEffect } from 'react'

/** Makes the browser ask before the page is left or loaded again, while a change is being saved. */
export function useLeaveWarning(isSaving: boolean): void {
  useEffect(() => {
    if (!isSaving) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isSaving])
}
