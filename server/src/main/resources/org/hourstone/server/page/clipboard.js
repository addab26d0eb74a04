// Copying: browsers offer their clipboard only to pages of HTTPS or of the same machine.

/** Copies a text, and tells on a button whether that worked. */
export async function copy(text, button) {
  const before = button.textContent;
  button.textContent = (await written(text)) ? 'Copied' : 'Select and copy it';
  setTimeout(() => { button.textContent = before; }, 2000);
}

async function written(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
