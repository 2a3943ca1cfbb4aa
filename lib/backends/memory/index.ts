export { memory, sharedMemory, type MemoryOptions } from './memory-backend';
