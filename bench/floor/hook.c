/*
 * The floor prototype (a minimal program for comparison) for bench part P7. It leaves one hook event in a spool folder
 * as the hook script does: it writes a header and standard input into a temporary file and renames the file. It has
 * none of the script's counters, limits and fallbacks.
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
  static char body[65536];
  char header[512], draft[64], name[64];
  ssize_t got;
  if (argc < 3 || chdir(argv[1]) != 0) return 1;
  const char *agent = getenv("BATON_AGENT_ID"), *token = getenv("BATON_AGENT_TOKEN");
  snprintf(name, sizeof name, "%s-1-%d", agent ? agent : "0", (int)getpid());
  snprintf(draft, sizeof draft, ".%s", name);
  int file = open(draft, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return 1;
  int length = snprintf(header, sizeof header, "baton1 %s %s %d -\n", token ? token : "", argv[2], (int)getppid());
  if (write(file, header, length) != length) return 1;
  while ((got = read(0, body, sizeof body)) > 0)
    if (write(file, body, got) != got) return 1;
  return close(file) == 0 && rename(draft, name) == 0 ? 0 : 1;
}
