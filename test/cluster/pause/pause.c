/*
 * The first process of every pod: it holds the pod's namespaces, reaps orphans where the PID namespace is shared, and
 * ends at once when told to, so that deleting a pod never waits for its grace period because of it.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void end(int signal) {
  (void)signal;
  _exit(0);
}

static void reap(int signal) {
  (void)signal;
  while (waitpid(-1, NULL, WNOHANG) > 0) {
  }
}

int main(void) {
  struct sigaction ending = {.sa_handler = end};
  struct sigaction reaping = {.sa_handler = reap, .sa_flags = SA_NOCLDSTOP};
  if (sigaction(SIGTERM, &ending, NULL) || sigaction(SIGINT, &ending, NULL) || sigaction(SIGCHLD, &reaping, NULL)) {
    return 1;
  }
  for (;;) {
    pause();
  }
}
