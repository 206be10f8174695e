/* Runs each command as an agent runs a hook: below `sh -c`, with the event on standard input. Prints the nanoseconds
 * of each run.
 *
 *   run-in-turns ROUNDS EVENT-FILE COMMAND… */

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

int main(int argc, char **argv) {
  int rounds = atoi(argv[1]);
  for (int round = 0; round < rounds; round++)
    for (int i = 3; i < argc; i++) {
      posix_spawn_file_actions_t actions;
      posix_spawn_file_actions_init(&actions);
      posix_spawn_file_actions_addopen(&actions, 0, argv[2], O_RDONLY, 0);
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
      char *child[] = {"sh", "-c", argv[i], NULL};
      struct timespec from, to;
      pid_t pid;
      int status;
      clock_gettime(CLOCK_MONOTONIC, &from);
      if (posix_spawn(&pid, "/bin/sh", &actions, NULL, child, environ) != 0) return 1;
      waitpid(pid, &status, 0);
      clock_gettime(CLOCK_MONOTONIC, &to);
      posix_spawn_file_actions_destroy(&actions);
      if (status != 0) {
        fprintf(stderr, "failed: %s\n", argv[i]);
        return 1;
      }
      printf("%lld\n", (to.tv_sec - from.tv_sec) * 1000000000LL + to.tv_nsec - from.tv_nsec);
    }
  return 0;
}
