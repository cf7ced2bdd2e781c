// A process of MPI that answers nonsense: for tests of those that must refuse it.
#include <mpi.h>
#include <unistd.h>

#include <cstring>
#include <string>

int main(int count, char** words) {
  MPI_Init(&count, &words);
  struct {
    char host[248] = {};
    long pid = 0;
  } own, all[16];
  gethostname(own.host, sizeof own.host - 1);
  own.pid = getpid();
  MPI_Allgather(&own, sizeof own, MPI_CHAR, all, sizeof own, MPI_CHAR, MPI_COMM_WORLD);
  const std::string nonsense = "a cat has walked over this keyboard: aslkdjfh";
  MPI_Send(nonsense.data(), int(nonsense.size()), MPI_CHAR, 0, 22, MPI_COMM_WORLD);
  // says goodbye as all do when it is over
  while (true) {
    MPI_Status status;
    MPI_Probe(0, 22, MPI_COMM_WORLD, &status);
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    std::string message(std::size_t(size), '\0');
    MPI_Recv(message.data(), size, MPI_CHAR, 0, 22, MPI_COMM_WORLD, &status);
    if (message == "all") break;
    if (message.find("over") != std::string::npos) MPI_Send("bye", 3, MPI_CHAR, 0, 22, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
