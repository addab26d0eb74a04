// A request as a command for a shell.

/** The command that sends a GET request with parameters. */
export function curl(address, parameters) {
  const lines = parameters.map(([name, value]) =>
    `--data-urlencode ${quoted(value === '' ? name : `${name}=${value}`)}`);
  return [`curl -G ${quoted(address)}`, ...lines].join(' \\\n  ');
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
